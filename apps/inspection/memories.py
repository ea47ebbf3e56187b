"""The memory stream of an agent with filters and search by meaning, and one memory."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse

from apps.dialogue import queries as dialogue_queries
from apps.eventlog.models import EventRow
from apps.eventlog.queries import find_event
from apps.history import EventId
from apps.inspection.pages import AgentPage, ComposedText
from apps.kernel.errors import DomainError
from apps.kernel.game_moments import TIME_CHARACTERS_MAX, first_tick_from
from apps.kernel.game_time import GameCalendar
from apps.memory import queries as memory_queries
from apps.memory.events import MemoryKind
from apps.simulation.provenance import calls_of
from apps.simulation.requested_retrieval import rank_on_request

MEMORIES_PER_PAGE = 50
RANKED_SHOWN = 20
LINKED_SHOWN = 30
QUERY_CHARACTERS_MAX = 2_000
_KINDS = [("", "all kinds"), *((kind.value, kind.value) for kind in MemoryKind)]


class TickField(ComposedText):
    """A game time, or a tick; becomes the first tick from then on, None for an empty field."""

    widget = forms.DateTimeInput(attrs={"type": "datetime-local"})

    def __init__(self, **named: Any) -> None:
        super().__init__(required=False, max_length=TIME_CHARACTERS_MAX, **named)
        self.calendar: GameCalendar | None = None

    def clean(self, value: Any) -> int | None:
        """Return the tick."""
        text = super().clean(value)
        if not text:
            return None
        assert self.calendar is not None, "the form gives the calendar of the simulation"
        try:
            return first_tick_from(text, self.calendar)
        except DomainError as error:
            raise forms.ValidationError(str(error)) from error


class MemoryFilter(forms.Form):
    """The filters of a memory stream; an empty field is no condition."""

    kind = forms.ChoiceField(choices=_KINDS, required=False)
    since = TickField(label="From")
    until = TickField(label="Until")
    importance = forms.IntegerField(
        required=False, label="Importance at least", min_value=1, max_value=10
    )
    about = forms.ChoiceField(required=False)
    text = ComposedText(required=False, label="Contains", max_length=200)
    after = forms.IntegerField(required=False, min_value=1, widget=forms.HiddenInput)

    def __init__(
        self, *args: Any, names: dict[str, str], calendar: GameCalendar, **named: Any
    ) -> None:
        super().__init__(*args, **named)
        for field in self.fields.values():
            if isinstance(field, TickField):
                field.calendar = calendar
            elif isinstance(field, forms.ChoiceField) and not field.choices:
                field.choices = [("", "anything"), *names.items()]


class MeaningSearch(forms.Form):
    """The text that memories are ranked for."""

    query = ComposedText(
        required=False, max_length=QUERY_CHARACTERS_MAX, label="Search by meaning"
    )

    def __init__(self, *args: Any, name: str, **named: Any) -> None:
        super().__init__(*args, **named)
        example = f"What does {name} plan for tomorrow?"
        self.fields["query"].widget.attrs["placeholder"] = example


class MemoriesPage(AgentPage):
    """The memory stream of an agent, the newest first; a search ranks it (M4, M6)."""

    template = "inspection/memories.html"
    title = "Memories"
    tab = "memories"

    def get(self, request: HttpRequest, **_names: Any) -> HttpResponse:
        """List the memories that meet the filters, or rank them for the text of a search."""
        context = self.context
        search, sought = self.filtered(MeaningSearch, name=self.agent_row.name)
        if query := sought.get("query"):
            return self._ranked(search, query)
        filters, values = self.filtered(
            MemoryFilter, names=self.names, calendar=context.calendar
        )
        rows = memory_queries.list_memories(
            context.id,
            self.agent_row.agent,
            as_of_tick=context.as_of_tick,
            kinds=[MemoryKind(values["kind"])] if values.get("kind") else (),
            search=values.get("text") or None,
            subject=values.get("about") or None,
            importance_min=values.get("importance"),
            from_tick=values.get("since"),
            to_tick=values.get("until"),
            after=values.get("after"),
        )
        page, next_query = self.page_of(rows, MEMORIES_PER_PAGE, after=lambda row: row.number)
        return self.render(
            filters=filters,
            search=search,
            memories=page,
            next_query=next_query,
        )

    def _ranked(self, search: MeaningSearch, query: str) -> HttpResponse:
        """Show the memories in the order of their scores, with the parts as bars."""
        context = self.context
        ranked = rank_on_request(
            context.row,
            context.founded,
            self.agent_row.agent,
            query,
            as_of_tick=context.as_of_tick,
            limit=RANKED_SHOWN,
        ).ranked
        return self.render(search=search, ranked=ranked)


class MemoryPage(AgentPage):
    """A memory: its event and the calls behind it, what it rests on, and where it was used."""

    template = "inspection/memory.html"
    title = "Memory"
    tab = "memories"

    def get(self, request: HttpRequest, *, number: int, **_names: Any) -> HttpResponse:
        """Show it."""
        context, slug, tick = self.context, self.agent_row.agent, self.context.as_of_tick
        row = memory_queries.memory(context.id, slug, number, as_of_tick=tick)
        event = find_event(context.id, EventId.parse(row.event_id))
        evidence = memory_queries.numbered(context.id, slug, row.evidence, as_of_tick=tick)
        return self.render(
            memory=row,
            event=event,
            calls=self._calls(event),
            evidence=[evidence[one] for one in row.evidence if one in evidence],
            resting=memory_queries.memories_resting_on(
                context.id, slug, number, as_of_tick=tick, count=LINKED_SHOWN
            ),
            retrieved=memory_queries.retrieval_ticks(
                context.id, slug, number, as_of_tick=tick, count=LINKED_SHOWN
            ),
            spoken=dialogue_queries.utterances_with_memory(
                context.id, slug, number, as_of_tick=tick, count=LINKED_SHOWN
            ),
        )

    def _calls(self, event: EventRow | None) -> list[dict[str, Any]]:
        """Return the calls that formed and rated the memory."""
        if event is None:
            return []
        tick = self.context.as_of_tick
        return list(calls_of(self.context.id, [event], as_of_tick=tick, has_messages=False))
