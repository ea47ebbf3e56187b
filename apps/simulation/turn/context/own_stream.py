"""Read the records of an agent's own stream, as of the end of the tick before a turn."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any
from uuid import UUID

from apps.agents import queries as agent_queries
from apps.agents.acts import ActKind, ActOutcome
from apps.agents.events import ActionKind
from apps.agents.statements import SEEN_BY_HOUR
from apps.agents.status import PlannedTime
from apps.agents.summary import Identity
from apps.agents.track import Action
from apps.dialogue.commitments import (
    OpenPromise,
    first_open_day,
    passed,
    stored_commitment,
    without_passed,
)
from apps.dialogue.statements import TALKS_ENDED
from apps.dialogue.utterances import Ending, Spoken
from apps.kernel.game_time import MINUTES_PER_DAY, GameCalendar
from apps.lineage.statements import history_rows, prepared_history_rows
from apps.memory import importance_queries
from apps.memory import queries as memory_queries
from apps.memory.events import MemoryOrigin
from apps.memory.facts import fact_of
from apps.memory.items import unrated_memory
from apps.memory.queries import CurrentSummary
from apps.memory.rules import ROUTINE_IMPORTANCE
from apps.planning import queries as plan_queries
from apps.planning.inputs import PastTalk, Yesterday
from apps.planning.reuse import KnownHour, known_hours
from apps.planning.rules import PlanItem, plan_day_at
from apps.reflection.dealings import Dealings
from apps.reflection.rules import is_due
from apps.simulation.embodiment.requested_actions import Control
from apps.simulation.ports import Constants
from apps.simulation.snapshot.opening_hours import minute_of_day
from apps.simulation.turn.context.attendance import attendance_of
from apps.simulation.turn.context.records import (
    ActionBeforeTalk,
    ActReport,
    Admission,
    AgentRecords,
    DoneAction,
    EndedConversation,
    LetIn,
    PutOffTalk,
    RefusedUse,
    TalkRecord,
)
from apps.simulation.turn.context.records_statement import RECORDS

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
NEWS_ORIGINS = (MemoryOrigin.LEARNED.value, MemoryOrigin.DECIDED.value)
NEWS_IMPORTANCE_MIN = 6
NEWS_MAX = 3
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

    def performed_today(self) -> tuple[PlannedTime, ...]:
        """Return the activities of this plan-day that were performed before the tick (P3)."""
        tomorrow = self._now.date() + timedelta(days=1)
        today = plan_queries.day_before(
            *self._of_agent, today=tomorrow.isoformat(), as_of_tick=self.tick - 1
        )
        if today is None:
            return ()
        return plan_queries.performed_between(
            *self._of_agent,
            calendar=self.constants.calendar,
            from_tick=today[1],
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
            settings.reaction_pause_minutes,
            settings.household_pause_minutes,
            settings.talk_reason_minutes,
            MINUTES_PER_DAY,  # news of a day that the agent has decided not to tell
        )
        today = self.constants.calendar.time_at(self.tick).date()
        minute = minute_of_day(self.constants.calendar, self.tick)
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
            "decided_from": self.tick - ticks_of(minutes=pause),
            "today": today.isoformat(),
            "minute": minute,
            "midnight": self.tick - ticks_of(minutes=minute),
            "ticks_per_minute": ticks_of(minutes=1),
            "unanswered": [Ending.NO_ANSWER.value, Ending.BUSY.value],
            "news_origins": list(NEWS_ORIGINS),
            "news_importance": NEWS_IMPORTANCE_MIN,
            "news_max": NEWS_MAX,
            "action_from": self.tick if action is None else action.from_tick,
            "plan_item": 0 if action is None else action.plan_item,
            "searches": [kind.value for kind in ActKind if kind.is_search],
            "goes_on": ActOutcome.NOT_HERE.value,
            "let_in_from": self.tick - ticks_of(minutes=RECEIVING_MINUTES),
            "knocked_from": self.tick - ticks_of(minutes=UNANSWERED_MINUTES),
            "knocks_max": KNOCKS_MAX,
            "routine": ROUTINE_IMPORTANCE,
            "object": "" if action is None else action.object,
            "gist_origin": MemoryOrigin.CONVERSATION.value,
            "others": list(others),
            "first_open_day": first_open_day(self._now),
        }
        [[found]] = prepared_history_rows(RECORDS, variables, self.constants.simulation_id)
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
            performed=plan_queries.performed_between(
                *of_agent, calendar=calendar, from_tick=from_tick, to_tick=until
            ),
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
    """Return the answer of the statement as records."""
    talks = found["last_talks"] or {}
    return AgentRecords(
        next_memory=found["next_memory"],
        next_plan_item=found["next_plan_item"],
        action=PlanItem(**found["action"]) if found["action"] else None,
        next_actions=tuple(PlanItem(**action) for action in found["next_actions"] or ()),
        act_reports=tuple(
            ActReport(**report | {"outcome": ActOutcome(report["outcome"])})
            for report in found["act_reports"] or ()
        ),
        unreported=PlanItem(**found["unreported"]) if found["unreported"] else None,
        hours=tuple(PlanItem(**hour) for hour in found["hours"] or ()),
        outline=tuple(PlanItem(**item) for item in found["outline"] or ()),
        done=tuple(DoneAction(**action) for action in found["done"] or ()),
        before_talk=_action_before_talk(found["before_talk"]),
        refusals=tuple(RefusedUse(**refusal) for refusal in found["refusals"] or ()),
        admissions=tuple(Admission(**one) for one in found["admissions"] or ()),
        unanswered=frozenset(found["unanswered"] or ()),
        let_in=tuple(LetIn(**one) for one in found["let_in"] or ()),
        decided_at=found["decided_at"] or {},
        talk_records=tuple(
            TalkRecord(**one | {"besides": tuple(one["besides"])})
            for one in found["talk_records"] or ()
        ),
        put_off=tuple(PutOffTalk(**one) for one in found["put_off"] or ()),
        acted_on_tick=found["acted_on_tick"],
        importance=found["importance"],
        unrated=tuple(map(unrated_memory, found["unrated"] or ())),
        last_reflected=found["last_reflected"],
        last_consolidated=found["last_consolidated"],
        summary=CurrentSummary(**found["summary"]) if found["summary"] else None,
        facts=tuple(map(fact_of, found["facts"] or ())),
        next_fact=found["next_fact"],
        overheard=tuple(
            Spoken(**said | {"participants": tuple(said["participants"])})
            for said in found["overheard"] or ()
        ),
        commitments=tuple(map(stored_commitment, found["commitments"] or ())),
        promises=tuple(OpenPromise(**one) for one in found["promises"] or ()),
        last_talks={other: EndedConversation(**talk) for other, talk in talks.items()},
    )


def _action_before_talk(found: Mapping[str, str] | None) -> ActionBeforeTalk | None:
    if found is None:
        return None
    return ActionBeforeTalk(activity=found["activity"], kind=ActionKind(found["kind"]))
