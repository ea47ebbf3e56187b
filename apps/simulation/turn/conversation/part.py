"""Part: end the part of an agent in a conversation, and keep what came of it (D3, R4)."""

from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter

from apps.agents.summary import AgentSummary
from apps.dialogue import decisions as dialogue
from apps.dialogue.commitments import commitment_of
from apps.dialogue.decisions import Digest, scheduled_activity
from apps.dialogue.events import TalkEnded, Told
from apps.dialogue.inputs import NewsToTell, TakeawaysInput
from apps.dialogue.remarks import is_mere_remark
from apps.dialogue.utterances import Ending, Spoken, Talk
from apps.memory.events import FactKind, ScheduledActivity
from apps.reaction.inputs import TalkReason
from apps.simulation.turn.context.outcome import Turn
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.conversation.speak import lines_of
from apps.simulation.turn.perceive.relationships import (
    acquaintance_with,
    own_place,
)
from apps.simulation.turn.remember.conversation_memories import (
    cancelled_agreements,
    earlier_agreements,
    remember_digest,
    remember_own_utterance,
    remember_remark,
    remember_utterance,
)
from apps.simulation.turn.remember.fact_changes import with_summary
from apps.simulation.turn.remember.passed_commitments import (
    earlier_promises,
    end_fulfilled,
    settle_promises,
)

# Words so soon after a talk may belong to it, such as the answer to a question.
OPEN_MATTER_MINUTES = 60
# The key of news in a prompt is this and the number of its memory; a prompt has so many.
KEY_OF_NEWS, NEWS_MAX = "N", 5
_FACTS_TO_TELL = frozenset(
    {FactKind.PURSUIT, FactKind.INTENTION, FactKind.STATE, FactKind.SECRET}
)


def why_over(context: TurnContext, talk: Talk, heard: Sequence[Spoken]) -> Ending | None:
    """Return why the conversation is over for the agent, None if it goes on.

    `heard` are the utterances of the conversation that end at this tick.
    """
    utterances = context.utterances
    answered = any(
        said.agent != context.identity.slug for said in utterances.heard_in(talk.conversation)
    )
    if answered and utterances.is_of_several(talk.conversation):
        return _why_over_of_several(context, talk, heard)
    if not talk.by_phone and not context.view.is_in_view(talk.other):
        return Ending.GONE
    if heard and heard[-1].ends:
        return Ending.SAID_ALL
    if context.conversations.has_left(talk.other, talk.conversation):
        return Ending.LEFT
    if heard or not context.is_action_over:
        return None
    return _why_unanswered(context, talk)


def _why_over_of_several(
    context: TurnContext, talk: Talk, heard: Sequence[Spoken]
) -> Ending | None:
    """Return why a conversation of several is over for the agent, None if it goes on.

    It leaves after its own goodbye, and with the last of the others; those that stay go on.
    """
    utterances, conversation = context.utterances, talk.conversation
    spoken, own = utterances.heard_in(conversation), utterances.said_in(conversation)
    if own[-1].ends:
        return None if utterances.is_speaking_in(conversation) else Ending.SAID_ALL
    others = context.conversations.others_in(conversation)
    utterances_max = context.settings.talk_utterances_max
    if heard and heard[-1].ends and (not others or heard[-1].number >= utterances_max):
        return Ending.SAID_ALL
    if not others:
        return Ending.LEFT if context.view.is_in_view(talk.other) else Ending.GONE
    if heard or not context.is_action_over:
        return None
    has_waited = context.tick - own[-1].tick >= context.constants.conversation_ticks
    if utterances.is_being_answered(conversation) and not has_waited:
        return None
    return Ending.NO_ANSWER if spoken[-1] == own[-1] else Ending.SAID_ALL


def _why_unanswered(context: TurnContext, talk: Talk) -> Ending | None:
    """Return why the agent waits no longer, None if it waits on.

    It waits while it is being answered, and until the other agent, who is in a conversation, is
    free; no longer than a conversation takes.
    """
    utterances, conversations = context.utterances, context.conversations
    own = utterances.said_in(talk.conversation)
    if own[-1].ends and not (talk.by_phone and not conversations.has_answered(talk)):
        return Ending.SAID_ALL
    if talk.by_phone and not conversations.has_answered(talk):
        return None if _user_may_answer(context, talk, own[-1]) else Ending.NO_ANSWER
    has_waited = context.tick - own[-1].tick >= context.constants.conversation_ticks
    if utterances.is_being_answered(talk.conversation) and not has_waited:
        return None
    if conversations.is_busy(talk.other, talk.conversation):
        return Ending.BUSY if has_waited else None
    return Ending.NO_ANSWER


def _user_may_answer(context: TurnContext, call: Talk, opening: Spoken) -> bool:
    """Return whether a user, who has time to answer, controls the agent that is called."""
    constants = context.constants
    patience = constants.ring_ticks + constants.hearing_ticks + constants.users_patience_ticks
    return (
        context.conversations.is_controlled_by_user(call.other)
        and context.tick - opening.tick < patience
    )


def break_off(turn: Turn) -> Turn:
    """Leave the conversation, if the agent is in one, for something more important."""
    if turn.talk is None:
        return turn
    return part(turn, turn.talk, Ending.INTERRUPTED)[0]


def part(turn: Turn, talk: Talk, why: Ending) -> tuple[Turn, tuple[ScheduledActivity, ...]]:
    """End the conversation; return also the activities of today that were agreed on.

    A single utterance that wants no answer is a conversation too.
    """
    utterances, conversations = turn.utterances, turn.conversations
    spoken = utterances.heard_in(talk.conversation)
    beside = utterances.heard_beside(talk.conversation)
    is_heard = not talk.by_phone or conversations.has_answered(talk)
    if len({said.agent for said in spoken}) > 1 or (spoken[-1].ends and is_heard):
        waiting = () if why is Ending.INTERRUPTED else conversations.waiting()
        spoken += [said for said in beside if said not in waiting]
        spoken.sort(key=attrgetter("tick"))
        return take_away(turn, talk.conversation, talk.other, spoken, why)
    turn = end_talk(turn, talk, why)
    if not utterances.is_being_answered(talk.conversation):
        turn = remember_own_utterance(turn, talk, spoken[-1], why=why)
    for said in beside:
        turn = remember_utterance(turn, said)
    return turn, ()


def take_away(
    turn: Turn, conversation: str, other: str, spoken: Sequence[Spoken], why: Ending
) -> tuple[Turn, tuple[ScheduledActivity, ...]]:
    """End the conversation, and keep its takeaways.

    Return also what was agreed on or cancelled for today.
    """
    ended = TalkEnded(
        conversation=conversation,
        other=other,
        why=why.value,
        heard_by=_bystanders(turn, conversation, other),
    )
    own = turn.view.own_talk
    is_own = own is not None and own.conversation == conversation
    turn = replace(turn, has_parted=turn.has_parted or is_own).record(ended)
    event = turn.last_event
    if _is_mere_remark(turn, other, spoken):
        return remember_remark(turn, spoken[0], cause=event), ()
    turn, summary = with_summary(turn)
    kept = _look_back(turn, summary, conversation, other, spoken)
    turn = remember_digest(turn, other, kept, event)
    turn = settle_promises(turn, other, conversation, kept, event)
    if kept.told:
        told = tuple(int(key.removeprefix(KEY_OF_NEWS)) for key in kept.told)
        turn = turn.record(Told(conversation=conversation, memories=told), cause=event)
    present = dict.fromkeys(one.agent for one in spoken if one.agent != turn.identity.slug)
    turn = end_fulfilled(turn, kept, tuple(present) or (other,), event)
    cancelled = cancelled_agreements(turn, conversation, kept)
    for one in cancelled:
        turn = turn.record(one, cause=event)
    today = turn.now.date().isoformat()
    # An agreement that was made with others before is planned already.
    known = {one.occasion for one in turn.records.commitments}
    new = (one for one, _ in kept.agreed if commitment_of(event, one).occasion not in known)
    agreed = (*cancelled, *new)
    return turn, tuple(scheduled_activity(one) for one in agreed if one.day == today)


def news_to_tell(context: TurnContext, other: str) -> tuple[NewsToTell, ...]:
    """Return what the agent may tell the other one and has not told it: news, lasting facts.

    Whoever the news came from knows it. A fact has the number of the first memory that it rests
    on.
    """
    records, last = context.records, context.records.last_talks.get(other)
    told = () if last is None else last.told
    found = {
        one.memory: one.text
        for one in records.talk_records
        if one.kind == TalkReason.NEWS and one.text not in told and other not in one.besides[:1]
    }
    for fact in records.facts:
        if fact.kind in _FACTS_TO_TELL and fact.evidence and fact.holds_at(context.now):
            found.setdefault(fact.evidence[0], " ".join(fact.statements))
    return tuple(
        NewsToTell(key=f"{KEY_OF_NEWS}{number}", text=text)
        for number, text in list(found.items())[:NEWS_MAX]
    )


def _is_mere_remark(context: TurnContext, other: str, spoken: Sequence[Spoken]) -> bool:
    """Return whether nothing can follow from the words but that they were said.

    Words after a talk or about something agreed or promised may mean that.
    """
    if len(spoken) > 1:
        return False
    [said] = spoken
    own = context.identity.slug
    last, records = context.records.last_talks.get(other), context.records
    hour_ago = context.tick - context.ticks_of(minutes=OPEN_MATTER_MINUTES)
    if last is not None and last.to_tick > hour_ago:
        return False
    if any(other in one.others for one in records.commitments) or records.promises:
        return False
    known = map(context.name_of, context.acquainted.agents)
    places = (node.name for node in context.tree.nodes)
    return is_mere_remark(
        said.text,
        names=(*known, *context.world.names.values(), *places),
        participants=(context.identity.name, context.name_of(other)),
        is_own=said.agent == own,
    )


def _bystanders(context: TurnContext, conversation: str, other: str) -> tuple[str, ...]:
    """Return the agents near enough to hear the conversation, besides the other agent."""
    talk = context.view.own_talk
    if talk is not None and talk.by_phone:
        return ()
    near = context.settings.hearing_distance
    found = (one for distance, one in context.view.agents_in_view() if distance <= near)
    return tuple(
        sorted(
            one
            for one in found
            if one != other
            and not context.view.is_asleep(one)
            and _may_hear(context, one, conversation)
        )
    )


def _may_hear(context: TurnContext, agent: str, conversation: str) -> bool:
    """Return whether an agent in view is in this conversation or in none."""
    theirs = context.conversations.talk_of(agent)
    return theirs is None or theirs.conversation == conversation


def _look_back(
    turn: Turn, summary: AgentSummary, conversation: str, other: str, spoken: Sequence[Spoken]
) -> Digest:
    members = dict.fromkeys(slug for one in spoken for slug in (one.agent, *one.hearers))
    besides = [one for one in members if one not in {turn.identity.slug, other}]
    return dialogue.digest_conversation(
        turn.llm,
        TakeawaysInput(
            agent_name=turn.identity.name,
            other_name=turn.name_of(other),
            summary=summary,
            acquaintance=acquaintance_with(turn, other),
            now=turn.now,
            place=own_place(turn),
            lines=lines_of(turn, spoken),
            agreements=earlier_agreements(turn),
            promises=earlier_promises(turn),
            news=news_to_tell(turn, other),
            besides=tuple(map(turn.name_of, besides)),
            ties_besides=tuple(acquaintance_with(turn, one) for one in besides),
        ),
        agent=turn.identity.slug,
        conversation=conversation,
        other=other,
        spoken=spoken,
        besides=besides,
    )


def end_talk(turn: Turn, talk: Talk, why: Ending) -> Turn:
    """End the conversation for the agent; its event is the last of the turn."""
    ended = TalkEnded(conversation=talk.conversation, other=talk.other, why=why.value)
    return replace(turn, has_parted=True).record(ended)
