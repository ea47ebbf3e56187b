"""Controls of a simulation: commands with author and reason, as the HTTP API gives them."""

from collections.abc import Mapping
from typing import Any, ClassVar
from uuid import UUID

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from apps import wiring
from apps.access.rights import Right
from apps.api.resources.interventions import NAME_CHARACTERS_MAX as OBJECT_CHARACTERS_MAX
from apps.history import SimulationRow
from apps.inspection.pages import InspectionPage
from apps.interaction import commands as interviews
from apps.interaction.commands import (
    PERSONA_CHARACTERS_MAX,
    QUESTION_CHARACTERS_MAX,
    InterviewRequest,
    PersonaText,
    QuestionText,
)
from apps.interaction.context import PERSONA_DEFAULT
from apps.interaction.models import list_interviews
from apps.kernel.errors import DomainError
from apps.kernel.game_moments import first_tick_from, last_tick_until
from apps.kernel.request_models import read_value
from apps.kernel.requested_values import (
    NAME_CHARACTERS_MAX,
    PACE_MAX,
    PACE_MIN,
    REASON_CHARACTERS_MAX,
    Name,
    Pace,
    Reason,
)
from apps.kernel.text import compose
from apps.simulation.commands import interventions, object_state
from apps.simulation.commands.command_log import Issuer, list_commands
from apps.simulation.engine import lifecycle
from apps.simulation.engine.forks import ForkSpec, fork_simulation
from apps.simulation.engine.lifecycle import ensure_may_run
from apps.simulation.turn.preparation import ensure_prepared

COMMANDS_SHOWN = 25
INTERVIEWS_SHOWN = 10


class ControlForm(forms.Form):
    """What every control asks for; the name of the control chooses the form."""

    use_required_attribute = True
    kinds: ClassVar[Mapping[str, object]] = {
        "reason": Reason,
        "name": Name,
        "pace": Pace,
        "text": interventions.Text,
        "question": QuestionText,
        "persona": PersonaText,
    }
    """The rules of values by the name of their field; they are those of HTTP."""
    reason = forms.CharField(max_length=REASON_CHARACTERS_MAX)

    def __init__(self, *args: Any, names: dict[str, str], **named: Any) -> None:
        super().__init__(*args, **named)
        agent = self.fields.get("agent")
        if isinstance(agent, forms.ChoiceField):
            agent.choices = list(names.items())

    def clean(self) -> dict[str, Any]:
        """Return the values in composed letters, by the rules that they have over HTTP."""
        values = {name: compose(value) for name, value in self.cleaned_data.items()}
        for name in self.kinds.keys() & values.keys():
            try:
                if values[name] is not None:
                    values[name] = read_value(self.kinds[name], values[name])
            except DomainError as error:
                self.add_error(name, error.message)
        return values


class RunForm(ControlForm):
    """A run to a game time, at a pace."""

    until = forms.CharField(
        max_length=40, widget=forms.DateTimeInput(attrs={"type": "datetime-local"})
    )
    pace = forms.FloatField(
        required=False,
        min_value=PACE_MIN,
        max_value=PACE_MAX,
        help_text="Game seconds per second; empty: as fast as possible.",
    )
    field_order = ("until", "pace", "reason")


class PauseForm(ControlForm):
    """A pause."""


class ForkForm(ControlForm):
    """A branch that shares the past up to a moment."""

    at = forms.CharField(
        max_length=40,
        label="After",
        widget=forms.DateTimeInput(attrs={"type": "datetime-local", "step": 1}),
        help_text="The last moment of the shared past.",
    )
    name = forms.CharField(max_length=NAME_CHARACTERS_MAX)
    field_order = ("at", "name", "reason")


class InnerVoiceForm(ControlForm):
    """A thought that becomes the agent's own."""

    agent = forms.ChoiceField()
    text = forms.CharField(
        max_length=interventions.TEXT_CHARACTERS_MAX,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="In the second person: “You are going to run for mayor”.",
    )
    field_order = ("agent", "text", "reason")


class ObjectStateForm(ControlForm):
    """The state of an object."""

    object = forms.CharField(
        max_length=OBJECT_CHARACTERS_MAX,
        help_text="Its path, or a name that no other object has.",
    )
    state = forms.CharField(
        max_length=object_state.STATE_CHARACTERS_MAX,
        help_text="Continues “the stove is …”: burning.",
    )
    field_order = ("object", "state", "reason")


class InterviewForm(ControlForm):
    """A question to an agent."""

    agent = forms.ChoiceField()
    question = forms.CharField(
        max_length=QUESTION_CHARACTERS_MAX, widget=forms.Textarea(attrs={"rows": 2})
    )
    persona = forms.CharField(
        max_length=PERSONA_CHARACTERS_MAX, initial=PERSONA_DEFAULT, label="Asked by"
    )
    remember = forms.BooleanField(
        required=False, help_text="The agent remembers question and answer."
    )
    field_order = ("agent", "question", "persona", "remember", "reason")


CONTROLS: dict[str, tuple[str, type[ControlForm]]] = {
    "run": ("Run until", RunForm),
    "pause": ("Pause", PauseForm),
    "inner-voice": ("Give an inner voice", InnerVoiceForm),
    "object-state": ("Set the state of an object", ObjectStateForm),
    "interview": ("Interview", InterviewForm),
    "fork": ("Fork here", ForkForm),
}
# Who may read a simulation may fork it, and owns the branch.
_OF_READERS = frozenset({"fork"})


class ControlsPage(InspectionPage):
    """The controls, and the latest commands with their outcomes.

    Each control calls the function that the HTTP API calls, and requires the same right. Runs,
    pauses and forks are no commands of the log: Django's admin log keeps their author and
    reason. `at` in the query is the moment that a fork is offered for.
    """

    template = "inspection/controls.html"
    title = "Controls"
    tab = "controls"
    has_moment = False

    def right_to(self, request: HttpRequest) -> Right:
        """Return the right that a request needs."""
        is_of_readers = request.POST.get("control") in _OF_READERS
        return Right.READ if is_of_readers else super().right_to(request)

    def get(self, request: HttpRequest, **_names: Any) -> HttpResponse:
        """Show the controls."""
        return self._page(None)

    def post(self, request: HttpRequest, **_names: Any) -> HttpResponse:
        """Carry out a control, and lead to its outcome."""
        control = request.POST.get("control", "")
        if control not in CONTROLS:
            return self._page(None)
        form = CONTROLS[control][1](request.POST, names=self.names, prefix=control)
        if form.is_valid():
            try:
                act = getattr(self, f"_{control.replace('-', '_')}")
                address = act(form.cleaned_data)
            except DomainError as error:
                form.add_error(None, str(error))
            else:
                return redirect(address)
        return self._page((control, form))

    @property
    def _username(self) -> str:
        return str(self.user.get_username())

    def _run(self, values: dict[str, Any]) -> str:
        context = self.context
        until_tick = first_tick_from(values["until"], context.calendar)
        with transaction.atomic():
            ensure_may_run(context.id, running_max=settings.SIMULATIONS_RUNNING_PER_USER_MAX)
            lifecycle.request_run(context.id, until_tick=until_tick, pace=values["pace"])
            self._record(context.id, f"Run until {values['until']}: {values['reason']}")
        return self._told("The simulation runs.")

    def _pause(self, values: dict[str, Any]) -> str:
        with transaction.atomic():
            lifecycle.request_pause(self.context.id, reason=values["reason"])
            self._record(self.context.id, f"Pause: {values['reason']}")
        return self._told("The simulation pauses when all agents are at the same tick.")

    def _fork(self, values: dict[str, Any]) -> str:
        context = self.context
        tick = last_tick_until(values["at"], context.calendar)
        spec = ForkSpec(name=values["name"], at_tick=tick)
        with transaction.atomic():
            branch = fork_simulation(wiring.ports(), context.id, spec, owner_id=self.user.pk)
            self._record(branch.pk, f"Forked after {values['at']}: {values['reason']}")
        return reverse("admin:inspect-simulation", kwargs={"simulation": branch.pk})

    def _record(self, simulation_id: UUID, message: str) -> None:
        LogEntry.objects.log_actions(
            self.user.pk,
            SimulationRow.objects.filter(pk=simulation_id),
            CHANGE,
            change_message=message,
            single_object=True,
        )

    def _inner_voice(self, values: dict[str, Any]) -> str:
        interventions.request_intervention(
            self.context.id,
            values["agent"],
            interventions.InnerVoiceBody(text=values["text"]),
            issuer=self._issuer(values),
        )
        return self._told("The inner voice is recorded; its outcome is in the list.")

    def _object_state(self, values: dict[str, Any]) -> str:
        object_state.request_object_state(
            wiring.ports(),
            self.context.id,
            object_name=values["object"],
            state=values["state"],
            alarming=None,
            issuer=self._issuer(values),
        )
        return self._told("The state is recorded; its outcome is in the list.")

    def _interview(self, values: dict[str, Any]) -> str:
        context = self.context
        ensure_prepared(context.row, values["agent"])
        row = interviews.request_interview(
            context.id,
            InterviewRequest(
                agent=values["agent"],
                question=values["question"],
                persona=values["persona"],
                remember=values["remember"],
                as_of_tick=context.as_of_tick,
            ),
            by=self._username,
            reason=values["reason"],
        )
        interviews.answer_interview(wiring.ports(), row.pk)
        return reverse(
            "admin:inspect-interview", kwargs={"simulation": context.id, "interview": row.pk}
        )

    def _issuer(self, values: dict[str, Any]) -> Issuer:
        return Issuer(by=self._username, reason=values["reason"])

    def _told(self, message: str) -> str:
        messages.success(self.request, message)
        return reverse("admin:inspect-controls", kwargs={"simulation": self.context.id})

    def _page(self, filled: tuple[str, ControlForm] | None) -> HttpResponse:
        agent = self.request.GET.get("agent", "")
        context = self.context
        now = context.time_at(context.as_of_tick)
        initial = {
            "agent": agent,
            "persona": PERSONA_DEFAULT,
            "until": now.isoformat(timespec="minutes"),
            "at": self.request.GET.get("at") or now.isoformat(timespec="seconds"),
            "name": f"Branch of {context.row.name}",
        }
        commands = list_commands(context.id).order_by("-created_at", "pk")
        asked = list_interviews(context.id).order_by("-number")
        return self.render(
            controls=[
                {
                    "name": name,
                    "title": title,
                    "form": filled[1]
                    if filled is not None and filled[0] == name
                    else form(names=self.names, prefix=name, initial=initial),
                }
                for name, (title, form) in CONTROLS.items()
                if self.may_command or name in _OF_READERS
            ],
            commands=list(commands[:COMMANDS_SHOWN]),
            interviews=list(asked[:INTERVIEWS_SHOWN]),
        )
