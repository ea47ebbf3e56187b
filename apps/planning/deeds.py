"""The account of an agent's time: what it did, by its actions and reports of acts (P3).

It is the only source of what prompts, consolidations and stories say was done. What was planned
and not begun is no part of it, nor is an agent that was not there.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby, zip_longest
from operator import attrgetter
from uuid import UUID

from apps.agents import queries as agent_queries
from apps.agents.events import ActionKind
from apps.agents.phrases import failure_text
from apps.agents.queries import Report, SightOfAgent
from apps.agents.status import Deed
from apps.agents.track import Action
from apps.kernel.game_time import GameCalendar
from apps.kernel.language import noted, phrase
from apps.planning import queries as plan_queries
from apps.planning.rules import PlanItem
from apps.world.tree import SEPARATOR, segments_of

# Of a deed so many actions are named, the most important ones.
ACTIONS_NAMED_MAX = 3
# A shorter deed is left out, unless it matters.
DEED_MINUTES_MIN = 5
# The importance of a talk as a part of a deed, and the least of a deed of a few minutes.
TALK_IMPORTANCE = 3
# A participant that was last seen there so long before may be there still.
SEEN_MINUTES = 60
_DONE = frozenset(
    {
        ActionKind.PLANNED,
        ActionKind.SLEEPING,
        ActionKind.TALKING,
        ActionKind.USER_CONTROLLED,
    }
)
# The word before the names of participants.
WITH = noted("with")


@dataclass(frozen=True, slots=True, kw_only=True)
class DayRecords:
    """The records of an agent's own stream in some ticks, in order.

    `items` are the planned actions by number, `hours` the hours of these actions by number;
    `sights` are of other agents, also from before; `names` are full names by slug, those of
    the world's people that are not in the simulation included.
    """

    actions: Sequence[Action]
    items: Mapping[int, PlanItem]
    hours: Mapping[int, PlanItem]
    reports: Sequence[Report]
    sights: Sequence[SightOfAgent]
    names: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """An action, or the report of an act that failed, in the ticks [from_tick, to_tick)."""

    from_tick: int
    to_tick: int
    hour: PlanItem | None
    action: Action | None = None
    importance: int = 0
    with_agents: Sequence[str] = ()
    report: Report | None = None

    @property
    def key(self) -> tuple[str, str]:
        """The activity and the place of its hour; neighbours of one key are one deed."""
        if self.hour is not None:
            return self.hour.description, self.hour.place
        return "" if self.action is None else self.action.description, ""


def deeds_between(
    simulation_id: UUID,
    agent: str,
    *,
    people: Mapping[str, str],
    calendar: GameCalendar,
    from_tick: int,
    to_tick: int,
) -> tuple[Deed, ...]:
    """Return what the agent did in the ticks, in order.

    :param people: the full names of the world's people by slug.
    """
    actions = agent_queries.actions_between(
        simulation_id, agent, from_tick=from_tick, to_tick=to_tick
    )
    reports = agent_queries.reports_between(
        simulation_id, agent, from_tick=from_tick, to_tick=to_tick
    )
    numbers = {one.plan_item for one in actions} | {one.plan_item for one in reports}
    items, hours = plan_queries.items_with_hours(
        simulation_id, agent, numbers - {0}, as_of_tick=to_tick
    )
    records = DayRecords(
        actions=actions,
        items=items,
        hours=hours,
        reports=reports,
        sights=agent_queries.sights_between(
            simulation_id,
            agent,
            from_tick=from_tick - calendar.ticks_of(minutes=SEEN_MINUTES),
            to_tick=to_tick,
        ),
        names={**people, **agent_queries.names_of_agents(simulation_id, as_of_tick=to_tick)},
    )
    return deeds_of(records, agent, calendar=calendar, from_tick=from_tick, to_tick=to_tick)


def deeds_of(
    records: DayRecords, agent: str, *, calendar: GameCalendar, from_tick: int, to_tick: int
) -> tuple[Deed, ...]:
    """Return the deeds of the records in order: the parts of one activity, merged.

    A few minutes are left out, unless they matter: something important or failed, or a talk.
    """
    account = _Account(records, agent, calendar)
    parts = _with_own_hours(_parts(records, from_tick, to_tick))
    deeds = (account.deed(list(group)) for _, group in groupby(parts, key=attrgetter("key")))
    least = calendar.ticks_of(minutes=DEED_MINUTES_MIN)
    return tuple(
        deed
        for deed in deeds
        if deed.failed
        or deed.importance >= TALK_IMPORTANCE
        or calendar.tick_at(deed.ends) - calendar.tick_at(deed.starts) >= least
    )


def most_important(actions: Iterable[tuple[str, int, int]]) -> tuple[str, ...]:
    """Return the descriptions of the ACTIONS_NAMED_MAX most important actions, each once.

    The `actions`, in order, are description, importance and ticks; of equal importance those
    that took longest are kept.
    """
    ranks: dict[str, tuple[int, int]] = {}
    for words, importance, ticks in actions:
        before = ranks.get(words, (0, 0))
        ranks[words] = max(importance, before[0]), ticks + before[1]
    best = sorted(ranks, key=ranks.__getitem__, reverse=True)
    named = set(best[:ACTIONS_NAMED_MAX])
    return tuple(words for words in ranks if words in named)


def _parts(records: DayRecords, from_tick: int, to_tick: int) -> list[_Part]:
    found = [*_actions_done(records, from_tick, to_tick), *_acts_failed(records)]
    return sorted(found, key=attrgetter("from_tick"))


def _actions_done(records: DayRecords, from_tick: int, to_tick: int) -> Iterator[_Part]:
    for action, after in zip_longest(records.actions, records.actions[1:]):
        if action.kind not in _DONE:
            continue
        end = min(action.until_tick, to_tick if after is None else after.from_tick)
        item = records.items.get(action.plan_item)
        is_talk = action.kind is ActionKind.TALKING
        yield _Part(
            from_tick=max(from_tick, action.from_tick),
            to_tick=max(from_tick, action.from_tick, end),
            hour=None if item is None else records.hours.get(item.parent),
            action=action,
            importance=TALK_IMPORTANCE if is_talk or item is None else item.importance,
            with_agents=() if is_talk or item is None else item.with_agents,
        )


def _acts_failed(records: DayRecords) -> Iterator[_Part]:
    for report in records.reports:
        if not report.outcome.is_failure:
            continue
        item = records.items.get(report.plan_item)
        hour = None if item is None else records.hours.get(item.parent)
        yield _Part(from_tick=report.tick, to_tick=report.tick, hour=hour, report=report)


def _with_own_hours(parts: Iterable[_Part]) -> Iterator[_Part]:
    """Yield the parts; a talk and a failure without an hour belong to what they interrupt."""
    hour: PlanItem | None = None
    for part in parts:
        is_between = part.action is None or part.action.kind is ActionKind.TALKING
        hour = hour if part.hour is None and is_between else part.hour
        yield replace(part, hour=hour)


@dataclass(frozen=True)
class _Account:
    """Tells the parts of one activity as a deed."""

    records: DayRecords
    agent: str
    calendar: GameCalendar

    def deed(self, parts: Sequence[_Part]) -> Deed:
        """Return the parts, which are of one activity and in order, as a deed."""
        actions = [(part, part.action) for part in parts if part.action is not None]
        hour = parts[0].hour
        is_begun = any(action.kind is not ActionKind.TALKING for _, action in actions)
        activity = hour.description if hour is not None and is_begun else ""
        areas = list(dict.fromkeys(action.area for _, action in actions if action.area))
        company, missing = self._participants(parts, activity, areas)
        spans = [part for part, _ in actions] or parts
        return Deed(
            starts=self.calendar.time_at(spans[0].from_tick),
            ends=self.calendar.time_at(spans[-1].to_tick),
            actions=most_important(
                (action.description, part.importance, part.to_tick - part.from_tick)
                for part, action in actions
            ),
            activity=activity,
            place=_common(areas),
            is_asleep=any(action.asleep for _, action in actions),
            company=company,
            missing=missing,
            failed=tuple(dict.fromkeys(self._failures(parts))),
            importance=max((part.importance for part in parts), default=0),
        )

    def _participants(
        self, parts: Sequence[_Part], activity: str, areas: Collection[str]
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the names of the participants that were there, and of those that were not.

        An action begins only with its participants in view; the words of a plan name others.
        """
        there = dict.fromkeys(
            self.records.names.get(slug, slug) for part in parts for slug in part.with_agents
        )
        done = (part.action for part in parts if part.action is not None)
        planned = (one.description for one in done if one.kind is not ActionKind.TALKING)
        said = [words for words in (activity, *planned) if phrase(WITH) in words]
        named = {
            slug: self.records.names[slug]
            for slug, names in self.spoken_names.items()
            if any(_names_participant(words, *names) for words in said)
        }
        since = parts[0].from_tick - self.calendar.ticks_of(minutes=SEEN_MINUTES)
        seen = {
            one.subject
            for one in self.records.sights
            if one.area in areas
            and since <= one.from_tick < parts[-1].to_tick
            and (one.to_tick is None or one.to_tick > parts[0].from_tick)
        }
        company = dict.fromkeys((*there, *(named[slug] for slug in named if slug in seen)))
        missing = (name for name in named.values() if name not in company)
        return tuple(company), tuple(missing)

    @cached_property
    def spoken_names(self) -> dict[str, tuple[str, ...]]:
        """Return the full and, if no other has it, the first name of each other agent."""
        others = {slug: name for slug, name in self.records.names.items() if slug != self.agent}
        first = {slug: name.partition(" ")[0] for slug, name in others.items()}
        count = Counter(first.values())
        return {
            slug: (name, first[slug]) if count[first[slug]] == 1 else (name,)
            for slug, name in others.items()
        }

    def _failures(self, parts: Sequence[_Part]) -> Iterator[str]:
        names = self.records.names
        own = names.get(self.agent, self.agent)
        for report in (part.report for part in parts if part.report is not None):
            other = names.get(report.other, "") or phrase("anybody")
            yield failure_text(report.kind, report.outcome, own, other, place=report.area)


def _names_participant(words: str, *names: str) -> bool:
    """Return whether the words have a person of one of the names as a participant."""
    listed = "|".join(map(re.escape, names))
    named = rf"\b{re.escape(phrase(WITH))}\b[^.,;:]*\b(?:{listed})\b"
    return re.search(named, words) is not None


def _common(areas: Sequence[str]) -> str:
    """Return the area, or the nodes that the areas have in common."""
    if not areas:
        return ""
    paths = map(segments_of, areas)
    shared: list[str] = []
    for names in zip(*paths, strict=False):
        if len(set(names)) > 1:
            break
        shared.append(names[0])
    return SEPARATOR.join(shared)
