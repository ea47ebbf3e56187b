"""The observations that may change what an agent does (X1, X2, X3)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from apps.agents.phrases import MINUTES_PER_HOUR
from apps.agents.status import STRANGER, TieKind
from apps.dialogue.utterances import Spoken, opening_tick
from apps.kernel.names import slug_of
from apps.memory.passing_on import may_be_told
from apps.reaction.inputs import (
    Observed,
    ObservedAgent,
    ObservedObject,
    ReasonToTalk,
    TalkReason,
    UserObservation,
)
from apps.simulation.snapshot.perception import InView, shows_alarm
from apps.simulation.turn.context.records import TalkRecord
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.decide.company import company_of, has_turn, is_asked
from apps.simulation.turn.perceive.relationships import acquaintance_with, status_of
from apps.simulation.turn.remember.conversation_memories import utterance_text
from apps.simulation.turn.remember.passed_commitments import promises_for

OBSERVED_MAX = 3
# The nearest agents of a company that an agent is asked about.
COMPANY_MAX = 6
# Agents of these ties are together for hours of a day, as are those of one home.
DAILY_TIES = frozenset({TieKind.COLLEAGUE, TieKind.CLASSMATE})


@dataclass(frozen=True, slots=True, kw_only=True)
class ReactionCandidate:
    """An observation that may change what the agent does.

    `subject` is a slug, a path or an event's identity; `source` is the event that the
    observation comes from, "" for none; `agent` is the slug of the agent in it, "" where that
    is the subject; `others` are those of the other agents in its conversation, if that can be
    joined; `in_company` is whether it is asked about as one of a company.
    """

    subject: str
    observed: Observed
    source: str
    agent: str = ""
    others: tuple[str, ...] = ()
    in_company: bool = False


def is_free(context: TurnContext, other: str) -> bool:
    """Return whether the other agent is awake and in no conversation, if agents talk at all."""
    if not context.settings.talk_utterances_max:
        return False
    return not context.view.is_asleep(other) and context.conversations.talk_of(other) is None


def new_candidates(context: TurnContext) -> Iterator[ReactionCandidate]:
    """Yield agents that are overheard or free to be addressed, and objects whose state was set.

    An agent is a candidate when it comes into view, and as long as it is in view whenever
    there is a new reason to talk to it and the own action is over. The agents that this one is
    in company with are candidates together when it is asked; one of them that it lives, works
    or studies with is none before without a reason.
    """
    company = company_of(context)
    candidates = list(_overheard_candidates(context))
    overheard = {one.subject for one in candidates}
    found = [
        seen
        for seen in context.news
        if seen.sight.subject not in overheard and _may_matter(context, seen)
    ]
    undecided = undecided_subjects(context, [seen.sight.subject for seen in found])
    for seen in found:
        subject = seen.sight.subject
        if seen.sight.is_object:
            if subject in undecided:
                candidates.append(object_candidate(context, seen))
        elif _is_met(context, subject, company, is_undecided=subject in undecided):
            candidates.append(_agent_candidate(context, subject, seen.source))
    candidates += _candidates_in_view(context, {one.subject for one in candidates})
    if _has_decided_enough(context):
        candidates = [one for one in candidates if is_alarming(one.observed)]
    yield from candidates[:OBSERVED_MAX]
    if is_asked(context, company) and not _has_decided_enough(context):
        besides = {one.subject for one in candidates}
        new = [one for one in company if one not in besides]
        for one in new[:COMPANY_MAX]:
            action = context.view.action_of(one)
            source = "" if action is None else action.event
            yield replace(_agent_candidate(context, one, source), in_company=True)


def _is_met(
    context: TurnContext, other: str, company: Sequence[str], *, is_undecided: bool
) -> bool:
    """Return whether an agent that has come into view is a candidate for that.

    In company one of the two is asked, and who has a reason. An agent that shares the days of
    this one comes into view at times that follow from their hours, which is no reason.
    """
    if reasons_to_talk(context, other):
        return True
    is_daily = context.settings.situation_calls_per_hour and _shares_days_with(context, other)
    is_turn = other not in company or has_turn(context, company)
    return is_undecided and is_turn and not is_daily


def _has_decided_enough(context: TurnContext) -> bool:
    """Return whether the agent has made the decisions of an hour (ADR 96)."""
    since = context.tick - context.ticks_of(minutes=MINUTES_PER_HOUR)
    decided = {tick for tick in context.records.decided_at.values() if tick > since}
    return len(decided) >= context.settings.decisions_per_hour


def _overheard_candidates(context: TurnContext) -> Iterator[ReactionCandidate]:
    """Yield the speaker of each conversation that the agent overhears.

    A conversation is decided about once in `talk_reason_minutes`, whichever of the two speaks.
    """
    if not context.settings.talk_utterances_max:
        return
    overheard = (said for said in context.utterances.overheard() if not said.by_phone)
    latest = {said.conversation: said for said in overheard}
    for said in latest.values():
        if any(_is_decided_in(context, said, member) for member in (said.agent, said.to)):
            continue
        reason = ReasonToTalk(kind=TalkReason.OVERHEARD, text=utterance_text(context, said))
        others = tuple(dict.fromkeys((said.to, *said.hearers)))
        yield _agent_candidate(context, said.agent, said.event, reason, others=others)


def _is_decided_in(context: TurnContext, said: Spoken, member: str) -> bool:
    """Return whether the agent has lately decided about the member of that conversation.

    So it has if it has just talked with the member, and the words do not name it.
    """
    pause = context.ticks_of(minutes=context.settings.talk_reason_minutes)
    decided = context.records.decided_at.get(member, -1)
    since = max(opening_tick(said.conversation), context.tick - pause)
    if decided > since:
        return True
    return _talked_lately(context, member) and not _is_named(context, said.text)


def _is_named(context: TurnContext, text: str) -> bool:
    """Return whether the text has a name of the agent as a word."""
    words = set(slug_of(text).split("-"))
    return not words.isdisjoint(context.identity.slug.split("-"))


def _may_matter(context: TurnContext, seen: InView) -> bool:
    if seen.sight.is_object:
        state = context.view.set_state_of(seen.sight.subject)
        if state is None or seen.sight.description != state.state:
            return False  # it is in use, which the action of an agent shows
        # What the agent has left itself gives no reason to react.
        return state.set_by != context.identity.slug
    return not seen.is_far and is_free(context, seen.sight.subject)


def undecided_subjects(context: TurnContext, subjects: Iterable[str]) -> frozenset[str]:
    """Return the subjects that the agent has not decided about lately (X3)."""
    return frozenset(subject for subject in subjects if not _is_decided(context, subject))


def _is_decided(context: TurnContext, subject: str) -> bool:
    """Return whether the last decision about the subject is not older than the pause.

    A conversation with an agent counts as one.
    """
    talk = context.records.last_talks.get(subject)
    talked = -1 if talk is None else talk.to_tick
    decided = max(context.records.decided_at.get(subject, -1), talked)
    pause = context.ticks_of(minutes=context.settings.reaction_pause_minutes)
    return decided >= 0 and context.tick - decided <= pause


def _shares_days_with(context: TurnContext, other: str) -> bool:
    """Return whether the other agent is one that this one lives, works or studies with."""
    acquaintance = acquaintance_with(context, other)
    return bool(acquaintance.home) or acquaintance.tie in DAILY_TIES


def _candidates_in_view(context: TurnContext, besides: set[str]) -> Iterator[ReactionCandidate]:
    """Yield the agents in view that are free for a talk and that there is a reason for."""
    if not context.is_action_over or context.records.hour_at(context.tick) is None:
        return
    for _distance, other in context.view.agents_in_view():
        is_candidate = other not in besides and is_free(context, other)
        if is_candidate and reasons_to_talk(context, other):
            yield _agent_candidate(context, other, "")


def reasons_to_talk(context: TurnContext, other: str) -> tuple[ReasonToTalk, ...]:
    """Return the reasons to talk to another agent that the agent has not decided about.

    A decision to talk later and a promise count again after `talk_reason_minutes`; until then
    nothing does. So long after a talk of the two, what is older than its end is no reason. An
    agreement for now is carried out once the two have talked since. News is told to agents
    that the agent knows and has not talked with since, on the terms on which it was told.
    """
    decided = context.records.decided_at.get(other, -1)
    pause = context.ticks_of(minutes=context.settings.talk_reason_minutes)
    if decided >= 0 and context.tick - decided < pause:
        return ()
    last = context.records.last_talks.get(other)
    since = last.to_tick if last is not None and _talked_lately(context, other) else -1
    recorded = (
        ReasonToTalk(kind=TalkReason(one.kind), text=one.text)
        for one in context.records.talk_records
        if one.tick > since
        and (one.tick > decided or one.kind == TalkReason.INTENDED)
        and not (one.kind == TalkReason.AGREED and have_talked_since(context, other, one.tick))
        and (one.other == other or _is_news_for(context, other, one))
    )
    promises = promises_for(context, other, since=since)
    if promises and acquaintance_with(context, other) == STRANGER:
        promises = tuple(one for one in promises if one.to)
    promised = (
        ReasonToTalk(kind=TalkReason.PROMISED, text=one.what, since=one.since)
        for one in promises
    )
    return (*promised, *recorded)


def _talked_lately(context: TurnContext, other: str) -> bool:
    """Return whether a talk of the two ended within `talk_reason_minutes`."""
    pause = context.ticks_of(minutes=context.settings.talk_reason_minutes)
    return have_talked_since(context, other, context.tick - pause)


def have_talked_since(context: TurnContext, other: str, tick: int) -> bool:
    """Return whether the two have talked after the tick."""
    last = context.records.last_talks.get(other)
    return last is not None and last.to_tick > tick


def _is_news_for(context: TurnContext, other: str, record: TalkRecord) -> bool:
    if record.kind != TalkReason.NEWS or other in record.besides:
        return False
    if not may_be_told(record.passing_on, context.name_of(other), context.now):
        return False
    is_known = acquaintance_with(context, other) != STRANGER
    return is_known and not have_talked_since(context, other, record.tick - 1)


def _agent_candidate(
    context: TurnContext,
    other: str,
    source: str,
    *overheard: ReasonToTalk,
    others: tuple[str, ...] = (),
) -> ReactionCandidate:
    """Return an agent as a candidate; one that is overheard can be joined."""
    observed = ObservedAgent(
        status=status_of(context, other),
        may_talk=bool(overheard) or is_free(context, other),
        acquaintance=acquaintance_with(context, other),
        reasons=(*reasons_to_talk(context, other), *overheard),
        talks_with=tuple(map(context.name_of, others)),
    )
    return ReactionCandidate(subject=other, observed=observed, source=source, others=others)


def object_candidate(context: TurnContext, seen: InView) -> ReactionCandidate:
    """Return an object in view as a candidate."""
    node = context.tree.node(seen.sight.subject)
    state = seen.sight.description
    is_alarming = shows_alarm(seen, context.view.set_state_of(node.path))
    observed = ObservedObject(name=node.name, state=state, is_alarming=is_alarming)
    return ReactionCandidate(subject=node.path, observed=observed, source=seen.source)


def is_alarming(observed: Observed) -> bool:
    """Return whether the observation is of a danger."""
    return isinstance(observed, ObservedObject | UserObservation) and observed.is_alarming
