"""Controls of a simulation: operations of the HTTP API as forms, with author and reason."""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from apps.access.rights import Right
from apps.api.resources.forks import Forks
from apps.api.resources.interventions import InnerVoice, ObjectState
from apps.api.resources.interviews import Interviews
from apps.api.resources.simulations import PauseSimulation, RunSimulation
from apps.history import SimulationRow
from apps.inspection.operation_forms import OperationForm, form_of
from apps.inspection.pages import InspectionPage
from apps.interaction.models import list_interviews
from apps.simulation.commands.command_log import list_commands

COMMANDS_SHOWN = 25
INTERVIEWS_SHOWN = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """An operation as a form.

    `told` is the message after it; `leads_to` returns, given the response, the name of the page
    that shows the result, and the names of its path.
    """

    title: str
    form: type[OperationForm]
    told: str = ""
    leads_to: Callable[[Any], tuple[str, dict[str, Any]]] = lambda _: ("controls", {})

    @property
    def is_of_readers(self) -> bool:
        """Whether it needs no right to command: who may read may fork, and owns the branch."""
        return self.form.view.right_of("POST") == Right.READ


CONTROLS = {
    "run": Control(
        title="Run",
        form=form_of(RunSimulation, "until", "pace"),
        told="The simulation runs.",
    ),
    "pause": Control(
        title="Pause",
        form=form_of(PauseSimulation),
        told="The simulation pauses when all agents are at the same tick.",
    ),
    "inner-voice": Control(
        title="Give an inner voice",
        form=form_of(InnerVoice, "text"),
        told="The inner voice is recorded; its outcome is in the list.",
    ),
    "object-state": Control(
        title="Set the state of an object",
        form=form_of(ObjectState, "object", "state"),
        told="The state is recorded; its outcome is in the list.",
    ),
    "interview": Control(
        title="Interview",
        form=form_of(Interviews, "question", "persona", "remember"),
        leads_to=lambda shown: ("interview", {"interview": shown["id"]}),
    ),
    "fork": Control(
        title="Fork here",
        form=form_of(Forks, "at", "name"),
        leads_to=lambda shown: ("simulation", {"simulation": shown["id"]}),
    ),
}


class ControlsPage(InspectionPage):
    """The controls, and the latest commands with their outcomes.

    Each control calls the operation of the HTTP API, which checks values and rights. Django's
    admin log keeps author and reason. `at` in the query is the moment that a fork is offered
    for.
    """

    template = "inspection/controls.html"
    title = "Controls"
    tab = "controls"
    has_moment = False

    def right_to(self, request: HttpRequest) -> Right:
        """Return the right to the page."""
        return Right.READ

    def get(self, request: HttpRequest, **_names: Any) -> HttpResponse:
        """Show the controls."""
        return self._page(None)

    def post(self, request: HttpRequest, **_names: Any) -> HttpResponse:
        """Carry out a control, and lead to its outcome."""
        name = request.POST.get("control", "")
        if name not in CONTROLS:
            return self._page(None)
        control = CONTROLS[name]
        form = control.form(request.POST, names=self.names, prefix=name)
        if not form.is_valid():
            return self._page((name, form))
        waits = form.view.waits_for_llm
        with nullcontext() if waits else transaction.atomic():
            response = form.send(request, simulation=str(self.context.id))
            if response.status_code < HTTPStatus.BAD_REQUEST:
                self._record(control, form)
        if form.errors:
            return self._page((name, form), status=response.status_code)
        if control.told:
            messages.success(request, control.told)
        page, names = control.leads_to(response.data)
        return redirect(
            reverse(f"admin:inspect-{page}", kwargs={"simulation": self.context.id} | names)
        )

    def _record(self, control: Control, form: OperationForm) -> None:
        values = {**form.cleaned_data}
        reason = values.pop("reason")
        given = ", ".join(f"{name} {value}" for name, value in values.items() if value)
        LogEntry.objects.log_actions(
            self.user.pk,
            SimulationRow.objects.filter(pk=self.context.id),
            CHANGE,
            change_message=f"{control.title}{f' ({given})' if given else ''}: {reason}",
            single_object=True,
        )

    def _page(
        self, filled: tuple[str, OperationForm] | None, *, status: int = HTTPStatus.OK
    ) -> HttpResponse:
        agent = self.request.GET.get("agent", "")
        context = self.context
        now = context.time_at(context.as_of_tick)
        initial = {
            "agent": agent,
            "until": now.isoformat(timespec="minutes"),
            "at": self.request.GET.get("at") or now.isoformat(timespec="seconds"),
            "name": f"Branch of {context.row.name}",
        }
        commands = list_commands(context.id).order_by("-created_at", "pk")
        asked = list_interviews(context.id).order_by("-number")
        return self.render(
            status=status,
            controls=[
                {
                    "name": name,
                    "title": control.title,
                    "form": filled[1]
                    if filled is not None and filled[0] == name
                    else control.form(names=self.names, prefix=name, initial=initial),
                }
                for name, control in CONTROLS.items()
                if self.may_command or control.is_of_readers
            ],
            commands=list(commands[:COMMANDS_SHOWN]),
            interviews=list(asked[:INTERVIEWS_SHOWN]),
        )
