"""A conversation as one of its two agents has it: speak, listen, part (D1, D2, D3)."""

from collections.abc import Sequence

from apps.agents.events import ActionBegan, ActionKind
from apps.agents.status import AgentStatus
from apps.dialogue import commands as dialogue
from apps.dialogue.decisions import scheduled_activity
from apps.dialogue.events import Said, TalkEnded
from apps.dialogue.inputs import Line, TakeawaysInput, UtteranceInput
from apps.dialogue.rules import PATIENCE_TICKS, Ending, conversation_id, gives_way
from apps.dialogue.voices import Spoken, Talk
from apps.memory.events import ScheduledActivity
from apps.memory.items import MemoryItem
from apps.memory.purposes import RetrievalPurpose
from apps.planning.inputs import ActivitiesAgreed
from apps.simulation.snapshot.hearing import address_to_answer
from apps.simulation.turn.context import Turn
from apps.simulation.turn.conversation_memories import (
    remember_digest,
    remember_own_utterance,
    remember_unheard,
    remember_utterance,
)
from apps.simulation.turn.plan import (
    next_action,
    next_planned_times,
    planned_action,
    revise_plans,
    summary_of,
)
from apps.simulation.turn.relationships import (
    about_them,
    last_talk,
    name_of,
    own_place,
    status_of,
)

TALKING_EMOJI = "💬"
# Memories about the other one and about what is being said share the budget of a prompt.
SHARES_OF_BUDGET = 4


def converse(turn: Turn) -> bool:
    """Say what is to be said, listen on, or part; return whether any of it was to be done."""
    heard = turn.view.heard()
    for said in turn.view.cut_off():
        remember_unheard(turn, said)
    talk = turn.talk
    address = address_to_answer(turn.constants, heard)
    is_taken_up = address is not None and (talk is None or yields_to(turn, talk, address))
    conversation = talk.conversation if talk is not None else ""
    for said in heard:
        if said.conversation != conversation and not (is_taken_up and said is address):
            remember_utterance(turn, said)
    if address is not None and is_taken_up:
        if talk is not None:
            end_talk(turn, talk, Ending.GAVE_WAY)
        _utter(turn, address.conversation, address.agent, spoken=[address], cause=address.event)
        return True
    if talk is None:
        return False
    _go_on(turn, talk, [said for said in heard if said.conversation == talk.conversation])
    return True


def open_talk(turn: Turn, other: str, *, intent: str, cause: str) -> None:
    """Open a conversation with another agent."""
    conversation = conversation_id(turn.tick, turn.identity.slug)
    _utter(turn, conversation, other, spoken=[], intent=intent, cause=cause)


def break_off(turn: Turn) -> None:
    """Leave the conversation, if the agent is in one, for something more important."""
    if turn.talk is not None:
        part(turn, turn.talk, Ending.INTERRUPTED)


def part(turn: Turn, talk: Talk, why: Ending) -> tuple[ScheduledActivity, ...]:
    """End the conversation and look back on it; return what was agreed to for today (R4)."""
    spoken = turn.view.heard_in(talk.conversation)
    ended = end_talk(turn, talk, why)
    if len({said.agent for said in spoken}) < 2:
        if not turn.view.is_being_answered(talk.conversation):
            remember_own_utterance(turn, talk, spoken, ended)
        return ()
    kept = dialogue.look_back(
        turn.llm,
        TakeawaysInput(
            agent_name=turn.identity.name,
            other_name=name_of(turn, talk.other),
            summary=summary_of(turn),
            now=turn.now,
            place=own_place(turn),
            lines=_lines(turn, spoken),
        ),
        conversation=talk.conversation,
        other=talk.other,
        spoken=spoken,
    )
    remember_digest(turn, talk.other, kept, ended)
    today = turn.now.date().isoformat()
    return tuple(scheduled_activity(agreed) for agreed in kept.agreed if agreed.day == today)


def _go_on(turn: Turn, talk: Talk, heard: Sequence[Spoken]) -> None:
    """Answer what was heard, wait, or part."""
    if not turn.view.is_in_view(talk.other):
        _part_and_carry_on(turn, talk, Ending.GONE)
    elif heard and heard[-1].ends:
        _part_and_carry_on(turn, talk, Ending.SAID_ALL)
    elif not heard and turn.view.has_left(talk):
        _part_and_carry_on(turn, talk, Ending.LEFT)
    elif heard:
        spoken = turn.view.heard_in(talk.conversation)
        _utter(turn, talk.conversation, talk.other, spoken=spoken, cause=heard[-1].event)
    elif turn.is_over:
        own_last = turn.view.heard_in(talk.conversation)[-1]
        why = Ending.SAID_ALL if own_last.ends else Ending.NO_ANSWER
        _part_and_carry_on(turn, talk, why)


def _part_and_carry_on(turn: Turn, talk: Talk, why: Ending) -> None:
    agreed = part(turn, talk, why)
    if agreed:
        revise_plans(turn, reasons=(ActivitiesAgreed(activities=agreed),))
    else:
        next_action(turn)


def yields_to(turn: Turn, talk: Talk, address: Spoken) -> bool:
    """Return whether the two addressed each other in one tick and the agent gives way."""
    return (
        address.agent == talk.other
        and address.conversation != talk.conversation
        and address.tick == talk.from_tick
        and gives_way(turn.constants.seed, address.tick, turn.identity.slug, talk.other)
    )


def _utter(
    turn: Turn,
    conversation: str,
    other: str,
    *,
    spoken: Sequence[Spoken],
    cause: str,
    intent: str = "",
) -> None:
    """Say something, and stay while it is said and an answer is waited for.

    :raises OutOfView: if the other one is not in view; the lookahead relies on it.
    """
    turn.view.require_in_view(other)
    number = turn.view.next_number_in(conversation)
    utterances_max = turn.constants.settings.talk_utterances_max
    inputs = UtteranceInput(
        agent_name=turn.identity.name,
        other_name=name_of(turn, other),
        summary=summary_of(turn),
        now=turn.now,
        place=own_place(turn),
        status=_own_status(turn),
        other_status=status_of(turn, other),
        intent=intent,
        plans=next_planned_times(turn),
        last_talk=last_talk(turn, other),
        memories=_memories(turn, other, spoken[-1].text if spoken else intent),
        lines=_lines(turn, spoken),
        utterances_left=max(1, utterances_max - number + 1),
    )
    said = dialogue.speak(turn.llm, inputs, conversation=conversation, to=other, number=number)
    event = turn.say(said, cause=cause)
    stand_talking(turn, other, until=turn.tick + patience_with(turn, said), cause=event)


def patience_with(turn: Turn, said: Said) -> int:
    """Return for how many ticks the agent says the words and waits for an answer to them.

    The wait is as long as the longest answer takes; for an agent that a user controls it has
    time to think and to type.
    """
    spoken = turn.constants.speaking_ticks(said.text)
    if said.ends:
        return spoken
    constants = turn.constants
    is_users = turn.view.is_controlled_by_user(said.to)
    patience = constants.users_patience_ticks if is_users else PATIENCE_TICKS
    return spoken + constants.hearing_ticks + patience


def stand_talking(turn: Turn, other: str, *, until: int, cause: str) -> None:
    """Begin to talk on the spot; an object that the agent uses stays in use."""
    doing = turn.action
    stays = doing is not None and not doing.towards and not doing.asleep
    turn.say(
        ActionBegan(
            description=f"talking with {name_of(turn, other)}",
            emoji=TALKING_EMOJI,
            tile=turn.tile,
            area=turn.area,
            object=doing.object if doing is not None and stays else "",
            object_state=doing.object_state if doing is not None and stays else "",
            asleep=False,
            until_tick=until,
            plan_item=doing.plan_item if doing is not None else 0,
            kind=ActionKind.TALKING,
        ),
        cause=cause,
    )


def _lines(turn: Turn, spoken: Sequence[Spoken]) -> tuple[Line, ...]:
    return tuple(Line(speaker=name_of(turn, said.agent), text=said.text) for said in spoken)


def _own_status(turn: Turn) -> AgentStatus:
    """Return what the agent is doing; in a conversation, what is planned for this time."""
    if turn.talk is None:
        return status_of(turn, turn.identity.slug)
    planned = planned_action(turn)
    return AgentStatus(
        agent_name=turn.identity.name,
        activity="" if planned is None else planned.description,
        is_before_talk=True,
    )


def _memories(turn: Turn, other: str, said: str) -> tuple[MemoryItem, ...]:
    """Return the memories of the other one and of what was just said, best first."""
    budget = turn.constants.settings.retrieval_tokens // SHARES_OF_BUDGET
    found = about_them(turn, other, RetrievalPurpose.UTTERANCE, token_budget=budget)
    if said:
        found += turn.retrieval.retrieve(said, RetrievalPurpose.UTTERANCE, token_budget=budget)
    return turn.items({memory.number: memory for memory in found}.values())


def end_talk(turn: Turn, talk: Talk, why: Ending) -> str:
    """End the conversation for the agent; return the event."""
    turn.talk = None
    return turn.say(TalkEnded(conversation=talk.conversation, other=talk.other, why=why.value))
