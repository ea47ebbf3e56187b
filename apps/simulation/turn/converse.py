"""Converse: speak, listen and part, as one of the two agents of a conversation (D1, D2, D3)."""

from collections.abc import Sequence
from dataclasses import replace

from apps.agents.summary import AgentSummary
from apps.dialogue import commands as dialogue
from apps.dialogue.decisions import Digest, scheduled_activity
from apps.dialogue.events import TalkEnded
from apps.dialogue.inputs import TakeawaysInput
from apps.dialogue.rules import Ending, conversation_id, gives_way
from apps.dialogue.utterances import Spoken, Talk
from apps.memory.events import ScheduledActivity
from apps.planning.inputs import ActivitiesAgreed
from apps.simulation.snapshot.hearing import address_to_answer
from apps.simulation.turn.context import TurnContext
from apps.simulation.turn.conversation_memories import (
    remember_digest,
    remember_own_utterance,
    remember_unheard,
    remember_utterance,
)
from apps.simulation.turn.outcome import (
    PERFORMED,
    FollowPlan,
    RevisePlan,
    SpeakTo,
    TurnOutcome,
    record,
)
from apps.simulation.turn.relationships import (
    own_place,
)
from apps.simulation.turn.speak import lines_of, speak
from apps.simulation.turn.summary_renewal import with_summary

TALKING_EMOJI = "💬"
# Memories about the other one and about what is being said share the budget of a prompt.
SHARES_OF_BUDGET = 4


def converse(context: TurnContext, so_far: TurnOutcome) -> TurnOutcome:
    """Take up an address, go on with the conversation, or leave it.

    Utterances that belong to no conversation of the agent are remembered. Without an address
    and a conversation the intention stays as it is.
    """
    heard = context.view.heard()
    for said in context.view.cut_off():
        so_far = remember_unheard(context, so_far, said)
    talk = so_far.talk
    address = address_to_answer(context.constants, heard)
    is_taken_up = address is not None and (talk is None or yields_to(context, talk, address))
    conversation = talk.conversation if talk is not None else ""
    for said in heard:
        if said.conversation != conversation and not (is_taken_up and said is address):
            so_far = remember_utterance(context, so_far, said)
    if address is not None and is_taken_up:
        if talk is not None:
            so_far = end_talk(context, so_far, talk, Ending.GAVE_WAY)
        return speak(
            context,
            so_far,
            conversation=address.conversation,
            other=address.agent,
            spoken=[address],
            cause=address.event,
        )
    if talk is None:
        return so_far
    return _go_on(
        context, so_far, talk, [one for one in heard if one.conversation == conversation]
    )


def open_conversation(context: TurnContext, so_far: TurnOutcome) -> TurnOutcome:
    """Say the first words to the agent that this one is about to speak to."""
    assert isinstance(so_far.intention, SpeakTo), "the pipeline opens no other conversation"
    return speak(
        context,
        so_far,
        conversation=conversation_id(context.tick, context.identity.slug),
        other=so_far.intention.other,
        spoken=[],
        intent=so_far.intention.intent,
        cause=so_far.intention.cause,
    )


def break_off(context: TurnContext, so_far: TurnOutcome) -> TurnOutcome:
    """Leave the conversation, if the agent is in one, for something more important."""
    if so_far.talk is None:
        return so_far
    return part(context, so_far, so_far.talk, Ending.INTERRUPTED)


def part(context: TurnContext, so_far: TurnOutcome, talk: Talk, why: Ending) -> TurnOutcome:
    """End the conversation and remember what came of it (R4)."""
    return _part(context, so_far, talk, why)[0]


def _part(
    context: TurnContext, so_far: TurnOutcome, talk: Talk, why: Ending
) -> tuple[TurnOutcome, tuple[ScheduledActivity, ...]]:
    """End the conversation; return also the activities of today that were agreed on."""
    spoken = context.view.heard_in(talk.conversation)
    so_far = end_talk(context, so_far, talk, why)
    if len({said.agent for said in spoken}) < 2:
        if not context.view.is_being_answered(talk.conversation):
            so_far = remember_own_utterance(context, so_far, talk, spoken)
        return so_far, ()
    ended = so_far.last_event
    so_far, summary = with_summary(context, so_far)
    kept = _look_back(context, summary, talk, spoken)
    so_far = remember_digest(context, so_far, talk.other, kept, ended)
    today = context.now.date().isoformat()
    agreed = (one for one in kept.agreed if one.day == today)
    return so_far, tuple(map(scheduled_activity, agreed))


def _look_back(
    context: TurnContext, summary: AgentSummary, talk: Talk, spoken: Sequence[Spoken]
) -> Digest:
    return dialogue.digest_conversation(
        context.llm,
        TakeawaysInput(
            agent_name=context.identity.name,
            other_name=context.name_of(talk.other),
            summary=summary,
            now=context.now,
            place=own_place(context),
            lines=lines_of(context, spoken),
        ),
        conversation=talk.conversation,
        other=talk.other,
        spoken=spoken,
    )


def _go_on(
    context: TurnContext, so_far: TurnOutcome, talk: Talk, heard: Sequence[Spoken]
) -> TurnOutcome:
    """Answer what was heard, wait, or part."""
    why = why_over(context, talk, heard)
    if why is not None:
        return _part_and_carry_on(context, so_far, talk, why)
    if not heard:
        return so_far.intending(PERFORMED)
    return speak(
        context,
        so_far,
        conversation=talk.conversation,
        other=talk.other,
        spoken=context.view.heard_in(talk.conversation),
        cause=heard[-1].event,
    )


def why_over(context: TurnContext, talk: Talk, heard: Sequence[Spoken]) -> Ending | None:
    """Return why the conversation is over for the agent, None if it goes on.

    `heard` are the utterances of the conversation that end at this tick.
    """
    view = context.view
    if not view.is_in_view(talk.other):
        return Ending.GONE
    if heard:
        return Ending.SAID_ALL if heard[-1].ends else None
    if view.has_left(talk):
        return Ending.LEFT
    if not context.is_action_over:
        return None
    last = view.heard_in(talk.conversation)[-1]
    return Ending.SAID_ALL if last.ends else Ending.NO_ANSWER


def _part_and_carry_on(
    context: TurnContext, so_far: TurnOutcome, talk: Talk, why: Ending
) -> TurnOutcome:
    so_far, agreed = _part(context, so_far, talk, why)
    if agreed:
        return so_far.intending(RevisePlan(reasons=(ActivitiesAgreed(activities=agreed),)))
    return so_far.intending(FollowPlan())


def yields_to(context: TurnContext, talk: Talk, address: Spoken) -> bool:
    """Return whether the two addressed each other in one tick and the agent gives way."""
    return (
        address.agent == talk.other
        and address.conversation != talk.conversation
        and address.tick == talk.from_tick
        and gives_way(context.constants.seed, address.tick, context.identity.slug, talk.other)
    )


def end_talk(context: TurnContext, so_far: TurnOutcome, talk: Talk, why: Ending) -> TurnOutcome:
    """End the conversation for the agent; its event is the last of the outcome."""
    ended = TalkEnded(conversation=talk.conversation, other=talk.other, why=why.value)
    return record(context, replace(so_far, talk=None), ended)
