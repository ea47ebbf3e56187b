"""Model calls: prompt, answer and attempts in readable form (L3)."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse

from apps import history, wiring
from apps.history import CallFilters
from apps.inspection.pages import InspectionPage
from apps.kernel.game_time import MINUTES_PER_DAY
from apps.llm.answers.json_schema import schema_of
from apps.llm.calls import queries as llm_queries
from apps.llm.calls.answering import AnswerOutcome
from apps.llm.prompts.quoting import Passage, passages_of

CALLS_PER_PAGE = 100
_TASKS = {task.name: task for task in wiring.LLM_TASKS}


class CallFilter(forms.Form):
    """The filters of model calls; an empty field is no condition."""

    agent = forms.ChoiceField(required=False)
    task = forms.ChoiceField(
        required=False, choices=[("", "all tasks"), *((name, name) for name in sorted(_TASKS))]
    )
    outcome = forms.ChoiceField(
        required=False,
        choices=[
            ("", "all outcomes"),
            *((one.value, one.value.replace("_", " ")) for one in AnswerOutcome),
        ],
    )

    def __init__(self, *args: Any, names: dict[str, str], **named: Any) -> None:
        super().__init__(*args, **named)
        agent = self.fields["agent"]
        assert isinstance(agent, forms.ChoiceField)
        agent.choices = [("", "all agents"), *names.items()]


class CallsPage(InspectionPage):
    """The latest model calls of the day before the moment, the latest first."""

    template = "inspection/calls.html"
    title = "Model calls"
    tab = "calls"

    def get(self, request: HttpRequest, **_names: Any) -> HttpResponse:
        """List them."""
        context = self.context
        filters = CallFilter(request.GET, names=self.names)
        values = filters.cleaned_data if filters.is_valid() else {}
        day = context.calendar.ticks_of(minutes=MINUTES_PER_DAY)
        rows = history.model_call_rows(
            context.id,
            CallFilters(
                stream=values.get("agent") or None,
                task=values.get("task") or None,
                outcome=values.get("outcome") or None,
                from_tick=max(0, context.as_of_tick - day + 1),
                to_tick=context.as_of_tick + 1,
            ),
        )
        listed = rows.defer("prompt", "answer", "attempts", "differences").reverse()
        return self.render(filters=filters, calls=list(listed[:CALLS_PER_PAGE]))


class CallPage(InspectionPage):
    """A model call: the prompt with its quoted parts, the attempts, and the answer done."""

    template = "inspection/call.html"
    title = "Model call"
    tab = "calls"

    def get(
        self,
        request: HttpRequest,
        *,
        tick: int,
        stream: str,
        task: str,
        number: int,
        **_names: Any,
    ) -> HttpResponse:
        """Show it."""
        call_id = f"{tick}/{stream}/{task}/{number}"
        call = llm_queries.get_model_call(self.context.id, call_id)
        known = _TASKS.get(call.task)
        return self.render(
            call=call,
            messages_shown=[_shown(one) for one in call.messages],
            task=known,
            schema=None if known is None else schema_of(known.answer_type),
        )


def _shown(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return a message by its parts; only the user message has quoted ones (ADR 24)."""
    role, text = message["role"], str(message["content"])
    return {
        "role": role,
        "passages": passages_of(text) if role == "user" else [Passage(text=text)],
    }
