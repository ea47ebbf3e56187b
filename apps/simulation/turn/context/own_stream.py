"""Read the records of an agent's own stream, as of the end of the tick before a turn.

One statement reads rows of several apps in one round trip; a test holds its answer to plain
Python over these rows. Each app has the parts on its tables: named queries for WITH, and values
by the names of the fields of `AgentRecords`.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any
from uuid import UUID

from pydantic import TypeAdapter

from apps.agents import queries as agent_queries
from apps.agents import statements as of_agents
from apps.agents.acts import ActKind, ActOutcome
from apps.agents.events import ActionKind
from apps.agents.phrases import MINUTES_PER_HOUR
from apps.agents.statements import SEEN_BY_HOUR
from apps.agents.status import Deed
from apps.agents.summary import Identity
from apps.agents.track import Action
from apps.dialogue import statements as of_dialogue
from apps.dialogue.commitments import first_open_day, passed, without_passed
from apps.dialogue.statements import TALKS_ENDED
from apps.dialogue.utterances import Ending
from apps.kernel.game_time import MINUTES_PER_DAY, GameCalendar
from apps.lineage.statements import history_rows
from apps.memory import importance_queries
from apps.memory import queries as memory_queries
from apps.memory import statements as of_memory
from apps.memory.events import AgreementOutcome, MemoryOrigin
from apps.memory.facts import fact_of
from apps.memory.items import unrated_memory
from apps.memory.passing_on import IN_CONFIDENCE
from apps.memory.rules import ROUTINE_IMPORTANCE
from apps.planning import queries as plan_queries
from apps.planning import statements as of_planning
from apps.planning.deeds import deeds_between
from apps.planning.inputs import PastTalk, Yesterday
from apps.planning.reuse import KnownHour, known_hours
from apps.planning.rules import PlanItem, plan_day_at
from apps.reaction import models as of_reaction
from apps.reflection import queries as of_reflection
from apps.reflection.dealings import Dealings
from apps.reflection.rules import is_due
from apps.simulation.embodiment.requested_actions import Control
from apps.simulation.ports import Constants
from apps.simulation.turn.context.attendance import attendance_of
from apps.simulation.turn.context.records import AgentRecords

_PUT_OFF = f"""\
put_off AS (
    SELECT subject, tick, what FROM ({of_reaction.LATEST_DECISIONS}) AS latest
    WHERE choice = 'later' AND NOT EXISTS (
        {of_dialogue.TALKED} AND talk.other = latest.subject AND talk.from_tick > latest.tick
    ) AND NOT EXISTS (
        {of_dialogue.SAID} AND said.tick > latest.tick
            AND (said."to" = latest.subject OR said.participants ? latest.subject)
    )
)"""  # noqa: S608 (parts of statements)

_REASONS_TO_TALK = f"""\
    'put_off', (
        SELECT json_agg(
            json_build_object('other', subject, 'what', what) ORDER BY tick, subject
        ) FROM put_off
    ),
    'talk_records', (
        SELECT json_agg(row_to_json(reasons) ORDER BY tick, kind, other, text) FROM (
            SELECT 'agreed' AS kind, other, '[]'::jsonb AS besides,
                %(midnight)s + from_minute * %(ticks_per_minute)s AS tick, activity AS text,
                '' AS passing_on, 0 AS memory
            FROM open_commitments
            WHERE day = %(today)s AND other = ANY(%(others)s)
                AND %(minute)s >= from_minute AND %(minute)s < to_minute
            UNION ALL
            {of_dialogue.UNANSWERED_TALKS}
            UNION ALL
            SELECT 'intended', subject, '[]', tick, what, '', 0 FROM put_off
            WHERE subject = ANY(%(others)s)
            UNION ALL
            ({of_dialogue.NEWS_TO_TELL})
        ) AS reasons
    )"""  # noqa: S608 (parts of statements)

_APPS = (of_agents, of_planning, of_memory, of_reflection, of_reaction, of_dialogue)
_TABLES = ",\n".join((of_planning.TABLES, of_reflection.TABLES, of_dialogue.TABLES, _PUT_OFF))
_VALUES = ",\n".join((*(app.RECORDS for app in _APPS), _REASONS_TO_TALK))

RECORDS_STATEMENT = f"WITH {_TABLES}\nSELECT json_build_object(\n{_VALUES}\n)::text"
_RECORDS = TypeAdapter(AgentRecords)

# The latest talks and hours of each pair that are read.
COUNTED_MAX = 200


def read_dealings(
    simulation_id: UUID, agent: str, *, calendar: GameCalendar, as_of_tick: int
) -> tuple[Dealings, ...]:
    """Return the dealings with all agents that the agent has talked with or seen, by slug.

    The agent has heard the utterances of others in a conversation that is over.
    """
    variables = {
        "simulation": simulation_id,
        "agent": agent,
        "tick": as_of_tick,
        "ticks_per_hour": calendar.ticks_of(minutes=60),
    }
    talks: dict[str, list[int]] = {}
    hours: dict[str, list[int]] = {}
    for found, statement in ((talks, TALKS_ENDED), (hours, SEEN_BY_HOUR)):
        for other, tick in history_rows(statement, variables, simulation_id):
            found.setdefault(other, []).append(tick)
    return tuple(
        Dealings(
            slug=other,
            name=name,
            talked_at=tuple(map(calendar.time_at, talks.get(other, [])[COUNTED_MAX::-1])),
            seen_at=tuple(map(calendar.time_at, hours.get(other, [])[COUNTED_MAX::-1])),
        )
        for other in sorted(talks.keys() | hours.keys())
        if (name := agent_queries.name_of_agent(simulation_id, other))
    )


# A host goes to its guest, and waits for it, for so long from the opening of the door on.
RECEIVING_MINUTES = 3
# Earlier actions do not count when the rest of an interrupted hour is divided.
RESUMED_MINUTES = 180
ACTIVITIES_MAX = 8
# An agent that knocked so often in vain at a door does not try again for so long.
KNOCKS_MAX = 2
UNANSWERED_MINUTES = 60
NEWS_ORIGINS = (
    MemoryOrigin.LEARNED.value,
    MemoryOrigin.DECIDED.value,
    MemoryOrigin.RIGHTED.value,
)
NEWS_IMPORTANCE_MIN = 6
# Memories of what others do and say among themselves.
SIGHT_ORIGINS = (MemoryOrigin.PERCEIVED_AGENT.value, MemoryOrigin.OVERHEARD.value)
NEWS_MAX = 3
# What an agent has told another one is known to so many memories, the latest.
TOLD_MAX = 5
# A known hour is not reused for some minutes after a memory of these origins.
NEW_TO_AN_HOUR = (
    MemoryOrigin.LEARNED,
    MemoryOrigin.AGREED,
    MemoryOrigin.PLAN_NOTE,
    MemoryOrigin.INSIGHT,
    MemoryOrigin.INNER_VOICE,
    MemoryOrigin.DECIDED,
    MemoryOrigin.TOLD_OBSERVATION,
)
NEW_TO_AN_HOUR_MINUTES = 120
# Talks of the last days that began so much earlier or later are at the same time of day.
USUAL_DAYS = 14
SAME_TIME_MINUTES = 20


@dataclass(frozen=True, slots=True)
class OwnStream:
    """The own stream of an agent as of the end of the tick before a turn."""

    constants: Constants
    identity: Identity
    tick: int

    def read(
        self, action: Action | None, *, others: Iterable[str], control: Control | None
    ) -> AgentRecords:
        """Return the records; some are read only where the turn can need them.

        `action` is the current one; `others` are the agents that this turn can concern.
        """
        records = records_of(self._read(action, others))
        over = passed(records.commitments, self._now)
        records = replace(records, commitments=without_passed(records.commitments, self._now))
        hour = records.hour_at(self.tick)
        return replace(
            records,
            passed=tuple(
                (one, attendance_of(self.constants, self.identity.slug, one)) for one in over
            ),
            known_hours=() if hour is None else self._known_hours(records, hour),
            yesterday=self._yesterday() if hour is None else None,
            activities_under_control=self._activities_under(control),
            dealings=self._dealings(records),
        )

    def deeds_today(self) -> tuple[Deed, ...]:
        """Return what the agent has done in this plan-day before the tick (P3).

        Nothing on waking: what was done before then is yesterday's.
        """
        tomorrow = self._now.date() + timedelta(days=1)
        latest = plan_queries.day_before(
            *self._of_agent, today=tomorrow.isoformat(), as_of_tick=self.tick - 1
        )
        today = plan_day_at(self.identity.hours, self.constants.calendar, self.tick).day
        if latest is None or latest[0] < today:
            return ()
        return self._deeds(latest[1])

    def _deeds(self, from_tick: int) -> tuple[Deed, ...]:
        """Return what the agent has done from the tick on, until the tick of the turn."""
        return deeds_between(
            *self._of_agent,
            people=self.constants.world.names,
            calendar=self.constants.calendar,
            from_tick=from_tick,
            to_tick=self.tick - 1,
        )

    @property
    def _of_agent(self) -> tuple[UUID, str]:
        return self.constants.simulation_id, self.identity.slug

    @property
    def _now(self) -> datetime:
        return self.constants.calendar.time_at(self.tick)

    def _read(self, action: Action | None, others: Iterable[str]) -> Mapping[str, Any]:
        """Return the answer of the statement."""
        ticks_of, settings = self.constants.calendar.ticks_of, self.constants.settings
        pause = max(
            MINUTES_PER_HOUR,
            settings.reaction_pause_minutes,
            settings.talk_reason_minutes,
            MINUTES_PER_DAY,  # news of a day that the agent has decided not to tell
        )
        today = self.constants.calendar.time_at(self.tick).date()
        minute = self.constants.minute_of_day(self.tick)
        variables = {
            "simulation": self.constants.simulation_id,
            "agent": self.identity.slug,
            "tick": self.tick,
            "before": self.tick - 1,
            "day": ticks_of(minutes=MINUTES_PER_DAY),
            "day_before": self.tick - ticks_of(minutes=MINUTES_PER_DAY),
            "same_time": ticks_of(minutes=SAME_TIME_MINUTES),
            "usual_days": USUAL_DAYS,
            "resumed_from": self.tick - ticks_of(minutes=RESUMED_MINUTES),
            "hour_before": self.tick - ticks_of(minutes=MINUTES_PER_HOUR),
            "sight_origins": list(SIGHT_ORIGINS),
            "decided_from": self.tick - ticks_of(minutes=pause),
            "today": today.isoformat(),
            "minute": minute,
            "kept": AgreementOutcome.KEPT.value,
            "midnight": self.tick - ticks_of(minutes=minute),
            "ticks_per_minute": ticks_of(minutes=1),
            "unanswered": [Ending.NO_ANSWER.value, Ending.BUSY.value],
            "news_origins": list(NEWS_ORIGINS),
            "news_importance": NEWS_IMPORTANCE_MIN,
            "news_max": NEWS_MAX,
            "in_confidence": IN_CONFIDENCE,
            "told_max": TOLD_MAX,
            "action_from": self.tick if action is None else action.from_tick,
            "plan_item": 0 if action is None else action.plan_item,
            "searches": [kind.value for kind in ActKind if kind.is_search],
            "goes_on": ActOutcome.NOT_HERE.value,
            "let_in_from": self.tick - ticks_of(minutes=RECEIVING_MINUTES),
            "knocked_from": self.tick - ticks_of(minutes=UNANSWERED_MINUTES),
            "knocks_max": KNOCKS_MAX,
            "routine": ROUTINE_IMPORTANCE,
            "gist_origin": MemoryOrigin.CONVERSATION.value,
            "others": list(others),
            "first_open_day": first_open_day(self._now),
        }
        [[found]] = history_rows(RECORDS_STATEMENT, variables, self.constants.simulation_id)
        answer: Mapping[str, Any] = json.loads(found)
        return answer

    def _known_hours(self, records: AgentRecords, hour: PlanItem) -> tuple[KnownHour, ...]:
        """Return the hours whose actions may be done again, without those before news.

        News are nodes of the place that the agent has learnt, and what it has lately heard or
        decided. An hour that the agent is in, that is free or that it resumes has none.
        """
        reuse = self.constants.settings.reuse_hours
        is_planned = bool(records.pending_actions()) or hour.asleep
        is_resumed = bool(hour.continues or records.done_of(hour))
        if reuse == "none" or is_planned or is_resumed or hour.free:
            return ()
        of_agent, before = self._of_agent, self.tick - 1
        known = known_hours(*of_agent, hour, as_of_tick=before, same_day=reuse == "always")
        if not known:
            return ()
        place = self.constants.world.tree.place_of(hour.place)
        learnt = agent_queries.latest_learnt_tick(*of_agent, place, as_of_tick=before)
        heard = importance_queries.latest_formed_tick(
            *of_agent,
            origins=NEW_TO_AN_HOUR,
            importance_min=NEWS_IMPORTANCE_MIN,
            as_of_tick=before,
        )
        recent = self.tick - self.constants.calendar.ticks_of(minutes=NEW_TO_AN_HOUR_MINUTES)
        new = max(learnt, heard if heard > recent else -1)
        return tuple(one for one in known if one.planned_tick > new)

    def _yesterday(self) -> Yesterday | None:
        """Return what happened since the beginning of the latest plan-day before today (P3)."""
        of_agent, calendar = self._of_agent, self.constants.calendar
        today = plan_day_at(self.identity.hours, calendar, self.tick).day
        before = plan_queries.day_before(*of_agent, today=today, as_of_tick=self.tick - 1)
        if before is None:
            return None
        day, from_tick = before
        until = self.tick - 1
        talks, kept = (
            memory_queries.memories_between(
                *of_agent, origin=origin, from_tick=from_tick, to_tick=until
            )
            for origin in (MemoryOrigin.CONVERSATION, MemoryOrigin.CONSOLIDATION)
        )
        return Yesterday(
            date=date.fromisoformat(day),
            performed=self._deeds(from_tick),
            talks=tuple(
                PastTalk(
                    ended=calendar.time_at(talk.formed_tick),
                    other=agent_queries.name_of_agent(of_agent[0], talk.subject),
                    gist=talk.description,
                )
                for talk in talks
            ),
            kept=tuple(memory.description for memory in kept),
        )

    def _dealings(self, records: AgentRecords) -> tuple[Dealings, ...]:
        """Return the dealings with other agents, if a reflection may be due."""
        if not is_due(records.importance_most, self.constants.settings.reflection_threshold):
            return ()
        return read_dealings(
            *self._of_agent, calendar=self.constants.calendar, as_of_tick=self.tick - 1
        )

    def _activities_under(self, control: Control | None) -> tuple[str, ...]:
        """Return what the agent did while a user controlled it, if that ends now."""
        if control is None or control.embodiment.is_active_at(self.tick):
            return ()
        began = control.embodiment.from_tick
        actions = agent_queries.actions_between(
            *self._of_agent, from_tick=began, to_tick=self.tick - 1
        )
        activities = dict.fromkeys(
            action.description
            for action in actions
            if action.from_tick >= began and action.kind is not ActionKind.IDLE
        )
        return tuple(activities)[-ACTIVITIES_MAX:]


def records_of(found: Mapping[str, Any]) -> AgentRecords:
    """Return the answer of the statement as records; what it has not found is left out."""
    values = {name: value for name, value in found.items() if value is not None} | {
        "facts": tuple(map(fact_of, found["facts"] or ())),
        "unrated": tuple(map(unrated_memory, found["unrated"] or ())),
    }
    return _RECORDS.validate_python(values)
