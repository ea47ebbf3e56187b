"""The pages of an agent: its day, its relationships, the places it knows, its reflections."""

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from django.http import HttpRequest, HttpResponse

from apps import history
from apps.agents import queries as agent_queries
from apps.agents.models import ActionRow
from apps.history import PlanItem, count_conversations
from apps.history.agent_days import AgentDay, DayTree, read_day
from apps.inspection.pages import AgentPage
from apps.kernel.game_time import GameCalendar
from apps.memory.earlier_memories import memories_about_others
from apps.memory.events import FactKind
from apps.memory.queries import current_facts, current_summary
from apps.reflection.queries import trees

_FACT_KINDS = tuple(kind for kind in FactKind if kind is not FactKind.RELATIONSHIP)
HOUR_MARKS_EVERY = 2
BLOCK_WIDTH_MIN = 2.5
"""In thousandths of the axis, so that a short conversation can be seen."""


class DayPage(AgentPage):
    """An agent with its identity, its summary, and a day on one time axis.

    `day` in the query is a date; by default it is the latest day with a plan.
    """

    template = "inspection/day.html"
    title = "Day"
    tab = "agent"

    def get(self, request: HttpRequest, **_names: Any) -> HttpResponse:
        """Show it."""
        context, slug, tick = self.context, self.agent_row.agent, self.context.as_of_tick
        day = read_day(
            context.id,
            slug,
            day=_date_or_none(self.request.GET.get("day", "")),
            calendar=context.calendar,
            as_of_tick=tick,
        )
        facts = current_facts(context.id, slug, as_of_tick=tick)
        return self.render(
            identity=self.agent_row.identity,
            action=agent_queries.actions_at(context.id, tick=tick).get(slug),
            summary=current_summary(context.id, slug, as_of_tick=tick),
            facts=[fact for fact in facts if fact.kind in _FACT_KINDS],
            plan=day.plan,
            days=_days_around(day.plan),
            axis=self._axis(day),
            hours=_compared(day.hours, day.actions),
            unplanned=[] if day.hours else day.actions,
        )

    def _axis(self, day: AgentDay) -> dict[str, Any]:
        """Return the lanes of the day; places and widths are in thousandths of its length."""
        context, first, last = self.context, day.from_tick, day.to_tick
        length = max(1, last - first)

        end = min(context.as_of_tick + 1, last)

        def past(tick: int | None) -> int:
            return end if tick is None else min(tick, end)

        def block(from_tick: int, to_tick: int, label: str, kind: str) -> dict[str, Any]:
            left, right = max(from_tick, first), min(max(to_tick, from_tick + 1), last)
            return {
                "left": 1_000 * (left - first) / length,
                "width": max(BLOCK_WIDTH_MIN, 1_000 * (right - left) / length),
                "label": label,
                "kind": kind,
            }

        return {
            "planned": [
                block(
                    item.from_tick,
                    item.to_tick,
                    item.description,
                    "asleep" if item.asleep else "planned",
                )
                for item, _ in day.hours
            ],
            "done": [
                block(
                    row.from_tick,
                    past(row.to_tick),
                    row.description,
                    "asleep" if row.asleep else "walk" if row.towards else "done",
                )
                for row in day.actions
            ],
            "talks": [
                block(
                    talk.from_tick,
                    past(talk.to_tick),
                    self.names.get(talk.other, talk.other),
                    "talk",
                )
                for talk in day.talks
            ],
            "marks": list(_marks(context.calendar, first, last)),
            "now": 1_000 * (context.as_of_tick - first) / length
            if first <= context.as_of_tick < last
            else None,
        }


def _date_or_none(text: str) -> str | None:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        return None


def _days_around(plan: DayTree | None) -> dict[str, str]:
    """Return the dates before and after that of the plan."""
    if plan is None:
        return {}
    day = date.fromisoformat(plan.day)
    return {
        "before": date.fromordinal(day.toordinal() - 1).isoformat(),
        "after": date.fromordinal(day.toordinal() + 1).isoformat(),
    }


def _compared(
    hours: Sequence[tuple[PlanItem, PlanItem | None]], actions: Sequence[ActionRow]
) -> list[dict[str, Any]]:
    """Return the hours with the actions that began in each; the first has all before it."""
    compared = []
    for position, (item, _) in enumerate(hours):
        begins = -1 if position == 0 else item.from_tick
        ends = hours[position + 1][0].from_tick if position + 1 < len(hours) else None
        begun = tuple(
            row
            for row in actions
            if begins <= row.from_tick and (ends is None or row.from_tick < ends)
        )
        compared.append({"item": item, "actions": begun})
    return compared


def _marks(calendar: GameCalendar, first: int, last: int) -> Iterable[tuple[float, str]]:
    """Yield the full hours on the axis with their places."""
    per_hour = calendar.ticks_of(minutes=60)
    minutes_past = calendar.time_at(first).minute + calendar.time_at(first).second / 60
    tick = first if not minutes_past else first + calendar.ticks_of(minutes=60 - minutes_past)
    while tick < last:
        time = calendar.time_at(tick)
        if time.hour % HOUR_MARKS_EVERY == 0:
            yield 1_000 * (tick - first) / max(1, last - first), f"{time.hour}:00"
        tick += per_hour


class PeoplePage(AgentPage):
    """The other agents that an agent knows: facts, memories and conversations (E4)."""

    template = "inspection/people.html"
    title = "People"
    tab = "people"

    def get(self, request: HttpRequest, **_names: Any) -> HttpResponse:
        """List them by name, those it knows best first."""
        context, slug, tick = self.context, self.agent_row.agent, self.context.as_of_tick
        facts = {
            fact.other: fact
            for fact in current_facts(context.id, slug, as_of_tick=tick)
            if fact.kind is FactKind.RELATIONSHIP and fact.other
        }
        memories = {
            other: found
            for (_, other), found in memories_about_others(
                context.id, self.names, as_of_tick=tick, agents=[slug]
            ).items()
        }
        talks = {
            other: counted
            for (agent, other), counted in count_conversations(
                context.id, as_of_tick=tick
            ).items()
            if agent == slug
        }
        known = sorted(
            {*facts, *memories, *talks},
            key=lambda other: (-(memories[other].count if other in memories else 0), other),
        )
        return self.render(
            people=[
                {
                    "slug": other,
                    "fact": facts.get(other),
                    "memories": memories.get(other),
                    "talks": talks.get(other),
                }
                for other in known
            ]
        )


SEPARATOR = ": "


class PlacesPage(AgentPage):
    """The nodes of the world that an agent knows, as an indented list."""

    template = "inspection/places.html"
    title = "Places"
    tab = "places"

    def get(self, request: HttpRequest, **_names: Any) -> HttpResponse:
        """List them by path."""
        context = self.context
        known = agent_queries.known_places(
            context.id, self.agent_row.agent, as_of_tick=context.as_of_tick
        )
        return self.render(
            places=[
                {
                    "known": place,
                    "depth": place.node.count(SEPARATOR),
                    "name": place.node.rpartition(SEPARATOR)[2],
                }
                for place in known
            ]
        )


TREES_SHOWN = 30
REFLECTIONS_SHOWN = 30


class ReflectionsPage(AgentPage):
    """The latest insights that no other insight rests on, and the latest reflections."""

    template = "inspection/reflections.html"
    title = "Reflections"
    tab = "reflections"

    def get(self, request: HttpRequest, **_names: Any) -> HttpResponse:
        """Show them."""
        context, slug, tick = self.context, self.agent_row.agent, self.context.as_of_tick
        reflections = history.list_reflections(context.id, slug, as_of_tick=tick)
        return self.render(
            trees=trees(context.id, slug, as_of_tick=tick, limit=TREES_SHOWN),
            reflections=list(reflections.order_by("-tick", "kind")[:REFLECTIONS_SHOWN]),
        )
