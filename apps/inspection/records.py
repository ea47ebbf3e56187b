"""The pages of events, conversations and model calls, and of one of each."""

from collections.abc import Mapping
from operator import attrgetter
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse

from apps import history, wiring
from apps.api.http.simulation_context import SimulationContext
from apps.api.resources.conversations import conversation_in_full
from apps.api.resources.events import parse_event_id
from apps.eventlog.event import COMMANDS_STREAM, SIMULATION_STREAM, EventId
from apps.eventlog.models import EventRow
from apps.eventlog.queries import find_event, list_effects, list_recent_events
from apps.inspection.pages import AgentFilter, ComposedText, InspectionPage
from apps.kernel.errors import NotFound
from apps.kernel.game_time import MINUTES_PER_DAY
from apps.llm.answers.json_schema import schema_of
from apps.llm.calls import queries as llm_queries
from apps.llm.calls.answering import AnswerOutcome
from apps.llm.prompts.quoting import Passage, passages_of
from apps.memory import queries as memory_queries
from apps.memory.events import MemoriesRetrieved
from apps.simulation.provenance import provenance_of

EVENTS_PER_PAGE = 100
EFFECTS_MINUTES = 60
EFFECTS_SHOWN = 50
_TYPES = sorted(event.type for event in wiring.EVENTS)


class EventMissing(NotFound):
    """There is no such event by this moment."""

    code = "event-unknown"


def _first_tick_of_day(context: SimulationContext) -> int:
    """Return the first tick of the day that ends with the moment."""
    day = context.calendar.ticks_of(minutes=MINUTES_PER_DAY)
    return max(0, context.as_of_tick - day + 1)


class EventFilter(AgentFilter):
    """The filters of the log."""

    all_label = "all streams"
    others = ((COMMANDS_STREAM, COMMANDS_STREAM), (SIMULATION_STREAM, SIMULATION_STREAM))

    agent = forms.ChoiceField(required=False, label="Stream")
    type = forms.ChoiceField(
        required=False, choices=[("", "all types"), *((name, name) for name in _TYPES)]
    )
    after = ComposedText(required=False, max_length=160, widget=forms.HiddenInput)

    def clean_after(self) -> EventId | None:
        """Return the id of the last event of the page before."""
        return parse_event_id(self.cleaned_data["after"])


class LogPage(InspectionPage):
    """The events of the day before the moment, the latest first.

    A day bounds the time that a search for a rare type takes; the moment chooses the day.
    """

    template = "inspection/events.html"
    title = "Event log"
    tab = "events"

    def get(self, request: HttpRequest, **_names: Any) -> HttpResponse:
        """List them."""
        context = self.context
        filters, values = self.filtered(EventFilter, names=self.names)
        first = _first_tick_of_day(context)
        rows = list_recent_events(
            context.id,
            from_tick=first,
            to_tick=context.as_of_tick,
            stream=values.get("agent", ""),
            types=[values["type"]] if values.get("type") else (),
            before=values.get("after"),
        )
        page, next_query = self.page_of(rows, EVENTS_PER_PAGE, after=attrgetter("place"))
        return self.render(
            filters=filters,
            events=page,
            first_tick=first,
            next_query=next_query,
        )


class EventPage(InspectionPage):
    """An event with its data, its causes and effects, and what it came from (V6)."""

    template = "inspection/event.html"
    title = "Event"
    tab = "events"
    event_row: EventRow

    def load(self, **names: Any) -> None:
        """Load the event.

        :raises EventMissing: if there is none of that id by the moment.
        """
        place = EventId(names["tick"], names["stream"], names["ordinal"])
        row = find_event(self.context.id, place)
        if row is None or row.tick > self.context.as_of_tick:
            raise EventMissing(f"there is no event {place} by this moment")
        self.event_row = row

    def get(self, request: HttpRequest, **_names: Any) -> HttpResponse:
        """Show it."""
        context, row = self.context, self.event_row
        window = context.calendar.ticks_of(minutes=EFFECTS_MINUTES)
        effects = list_effects(
            row, to_tick=min(row.tick + window, context.as_of_tick), limit=EFFECTS_SHOWN
        )
        why = provenance_of(context.row, row, as_of_tick=context.as_of_tick, is_brief=True)
        return self.render(
            event=row,
            event_id=row.event_id,
            effects=effects,
            why=why,
            # The event of a retrieval comes first, with its scores.
            ranked=why["retrievals"][:1] if row.type == MemoriesRetrieved.type else [],
            retrieved=self._retrieved(why),
        )

    def _retrieved(self, why: dict[str, Any]) -> list[dict[str, Any]]:
        """Return the retrievals behind the event with their memories, without scores."""
        row = self.event_row
        if row.type == MemoriesRetrieved.type or not why["retrievals"]:
            return []
        agent = EventId.parse(why["retrievals"][0]["event"]).stream
        numbers = {number for one in why["retrievals"] for number in one["memories"]}
        memories = memory_queries.numbered(self.context.id, agent, numbers, as_of_tick=row.tick)
        return [
            one
            | {
                "agent": agent,
                "rows": [memories[number] for number in one["memories"] if number in memories],
            }
            for one in why["retrievals"]
        ]


CONVERSATIONS_PER_PAGE = 40


class ConversationFilter(AgentFilter):
    """The filters of conversations."""

    text = ComposedText(required=False, label="Contains", max_length=200)
    page = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)


class ConversationsPage(InspectionPage):
    """The conversations of a simulation, the latest first."""

    template = "inspection/conversations.html"
    title = "Conversations"
    tab = "conversations"

    def get(self, request: HttpRequest, **_names: Any) -> HttpResponse:
        """List them."""
        context = self.context
        filters, values = self.filtered(ConversationFilter, names=self.names)
        rows = history.list_conversations(
            context.id,
            as_of_tick=context.as_of_tick,
            agents=[values["agent"]] if values.get("agent") else (),
            search=values.get("text") or None,
        )
        number = values.get("page") or 1
        first = (number - 1) * CONVERSATIONS_PER_PAGE
        ordered = rows.order_by("-from_tick", "agent")
        page: list[Any]
        page, next_query = self.page_of(
            ordered[first:], CONVERSATIONS_PER_PAGE, page=lambda _: number + 1
        )
        members = history.members_of(
            context.id, [row.conversation for row in page], as_of_tick=context.as_of_tick
        )
        for row in page:
            row.members = members[row.conversation]
        return self.render(
            filters=filters,
            conversations=page,
            next_query=next_query,
        )


class ConversationPage(InspectionPage):
    """A conversation with its utterances, and what was remembered and agreed to."""

    template = "inspection/conversation.html"
    title = "Conversation"
    tab = "conversations"

    def get(
        self, request: HttpRequest, *, tick: int, opener: str, **_names: Any
    ) -> HttpResponse:
        """Show it."""
        return self.render(conversation=conversation_in_full(self.context, f"{tick}/{opener}"))


CALLS_PER_PAGE = 100
_TASKS = {task.name: task for task in wiring.LLM_TASKS}


class CallFilter(AgentFilter):
    """The filters of model calls; an empty field is no condition."""

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


class CallsPage(InspectionPage):
    """The latest model calls of the day before the moment, the latest first."""

    template = "inspection/calls.html"
    title = "Model calls"
    tab = "calls"

    def get(self, request: HttpRequest, **_names: Any) -> HttpResponse:
        """List them."""
        context = self.context
        filters, values = self.filtered(CallFilter, names=self.names)
        rows = llm_queries.model_call_rows(
            context.id,
            llm_queries.CallFilters(
                stream=values.get("agent") or None,
                task=values.get("task") or None,
                outcome=values.get("outcome") or None,
                from_tick=_first_tick_of_day(context),
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
