"""Addresses of pages that keep the moment, game times, and bars."""

import json
from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.text import Truncator

from apps.eventlog.models import EventRow
from apps.history import EventId
from apps.kernel.game_time import format_clock, format_short_day

register = template.Library()

TITLE_WORDS_MAX = 40
# The members of the data of an event that state in words what has happened.
_STATEMENTS = (
    "text",
    "description",
    "what",
    "activity",
    "question",
    "choice",
    "query",
    "towards",
)
# Types whose name says too little without its object, and others that are no English.
_TYPES_IN_WORDS = {
    "agents.returned.v1": "returned to the simulation",
    "dialogue.agreed.v1": "agreed to something",
    "dialogue.declined.v1": "declined something",
    "dialogue.promised.v1": "promised something",
    "memory.formed.v1": "formed a memory",
    "memory.rated.v1": "rated memories",
    "memory.retrieved.v1": "retrieved memories",
    "memory.repeated.v1": "repeated a memory",
    "memory.superseded.v1": "superseded a memory",
    "reaction.decided.v1": "decided how to react",
    "self_summary.renewed.v1": "renewed the summary description",
    "simulation.created.v1": "was created",
}


@register.simple_tag(takes_context=True)
def address(context: template.Context, page: str, **names: Any) -> str:
    """Return the address of a page of the simulation at the same moment."""
    path = reverse(
        f"admin:inspect-{page}", kwargs={"simulation": context["simulation"].pk, **names}
    )
    at = context.get("at")
    return f"{path}?{urlencode({'at': at})}" if at else path


@register.simple_tag(takes_context=True)
def event_link(context: template.Context, event_id: str, label: str = "") -> SafeString:
    """Return the link to an event; the id of a command or of nothing is shown as text."""
    if event_id.count("/") != 2:
        return format_html("{}", label or event_id)
    place = EventId.parse(event_id)
    path = address(
        context, "event", tick=place.tick, stream=place.stream, ordinal=place.ordinal
    )
    return format_html('<a href="{}">{}</a>', path, label or event_id)


@register.simple_tag(takes_context=True)
def call_link(context: template.Context, call_id: str, label: str = "") -> SafeString:
    """Return the link to a model call."""
    tick, stream, task, number = call_id.rsplit("/", 3)
    path = address(context, "call", tick=tick, stream=stream, task=task, number=number)
    return format_html('<a href="{}">{}</a>', path, label or call_id)


@register.simple_tag(takes_context=True)
def agent_link(context: template.Context, slug: str) -> SafeString:
    """Return the link to an agent by its full name; other slugs are shown as text."""
    name = context["names"].get(slug)
    if name is None:
        return format_html("{}", slug)
    return format_html('<a href="{}">{}</a>', address(context, "agent", agent=slug), name)


@register.simple_tag(takes_context=True)
def conversation_link(context: template.Context, conversation: str, label: str) -> SafeString:
    """Return the link to a conversation."""
    tick, _, opener = conversation.partition("/")
    path = address(context, "conversation", tick=tick, opener=opener)
    return format_html('<a href="{}">{}</a>', path, label)


@register.simple_tag(takes_context=True)
def clock(context: template.Context, tick: int | None) -> str:
    """Return the time of day of a tick, "8:05 am"."""
    return "" if tick is None else format_clock(context["calendar"].time_at(tick))


@register.simple_tag(takes_context=True)
def day_and_clock(context: template.Context, tick: int | None) -> str:
    """Return day and time of day of a tick, "Mon 13 Feb, 8:05 am"."""
    if tick is None:
        return ""
    time = context["calendar"].time_at(tick)
    return f"{format_short_day(time)}, {format_clock(time)}"


@register.filter
def game_time(time: datetime | None) -> str:
    """Return a game time with its year: "Mon 13 Feb 2023, 8:05 am"; "" for none."""
    if time is None:
        return ""
    return f"{format_short_day(time)} {time.year}, {format_clock(time)}"


@register.simple_tag
def bar(value: float, name: str, highest: float = 1.0) -> SafeString:
    """Return a bar of a value between 0 and `highest`; `name` chooses its colour."""
    width = 100 * min(max(value / highest if highest else 0.0, 0.0), 1.0)
    return format_html(
        '<svg class="bar {}" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="track" width="100" height="8"/><rect width="{}" height="8"/></svg>',
        name,
        f"{width:.1f}",
    )


@register.filter
def pretty(value: Any) -> str:
    """Return a JSON value on indented lines."""
    return json.dumps(value, indent=2, ensure_ascii=False)


@register.filter
def in_words(slug: str) -> str:
    """Return a name such as `fell_back` in words."""
    return slug.replace("_", " ").replace("-", " ")


@register.filter
def event_type_in_words(event_type: str) -> str:
    """Return the type of an event in words: "action began" of `agents.action-began.v1`."""
    return _TYPES_IN_WORDS.get(event_type) or in_words(event_type.split(".")[1])


@register.filter
def event_statement(event: EventRow) -> str:
    """Return the type of an event and what it states: "said: Good morning!"."""
    sights = [sight["description"] for sight in event.data.get("sights", ())]
    given = next((event.data[key] for key in _STATEMENTS if event.data.get(key)), "")
    stated = given or "; ".join(sights)
    words = event_type_in_words(event.type)
    return f"{words}: {Truncator(stated).words(TITLE_WORDS_MAX)}" if stated else words


@register.filter
def event_in_words(event: EventRow, names: Mapping[str, str]) -> str:
    """Return what an event states, as a title: "Klaus Mueller said: Good morning!"."""
    return f"{name_of(event.stream, names)} {event_statement(event)}"


@register.filter
def name_of(slug: str, names: Mapping[str, str]) -> str:
    """Return the full name of an agent, the slug of another subject."""
    return names.get(slug, slug)


@register.filter
def thousands(number: int) -> str:
    """Return a number with separators: "66,548"."""
    return f"{number:,}"


@register.filter
def measure(value: float | Decimal) -> str:
    """Return a count with separators, a density or a cost with its decimals."""
    return f"{value:,}" if isinstance(value, int) else f"{value:,.3f}"
