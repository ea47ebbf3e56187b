"""Speak: say something in a conversation, and wait for the answer (D1, D2)."""

from collections.abc import Iterable, Sequence
from operator import attrgetter

from apps.agents.events import ActionBegan, ActionKind
from apps.agents.status import AgentStatus
from apps.dialogue import decisions as dialogue
from apps.dialogue.events import Said
from apps.dialogue.inputs import Line, UtteranceInput
from apps.dialogue.utterances import PATIENCE_TICKS, Spoken, Talk
from apps.kernel.language import phrase
from apps.memory.events import RetrievalPurpose
from apps.memory.items import MemoryItem, without_outlined
from apps.simulation.turn.context.outcome import PERFORMED, SILENT, SpeakTo, Turn
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.conversation.departure import departure_of
from apps.simulation.turn.perceive.relationships import (
    acquaintance_with,
    coming_actions,
    day_outline,
    lately_ended,
    open_agreements,
    own_place,
    relationship_query,
    retrieve_relationship,
    status_of,
)
from apps.simulation.turn.remember.fact_changes import with_summary
from apps.simulation.turn.remember.passed_commitments import promises_for

TALKING_EMOJI = "💬"
# After so many utterances of the agent its intention is carried out.
INTENT_UTTERANCES = 2
# Memories about the other agent and about what is being said share the budget of a prompt.
SHARES_OF_BUDGET = 4


def speak(turn: Turn, intended: SpeakTo, *, conversation: str) -> Turn:
    """Say something, and stay while it is said and an answer is waited for.

    All participants in view hear it. If the other agent has taken its leave of them, it is said
    to one that stays. An answer is `intended` without an intent of its own. The result intends
    SILENT if the agent has nothing to say: in a conversation in which it has spoken, or if what
    it intended was overtaken.

    :raises OutOfView: if the other agent is neither in view nor on the telephone; the lookahead
        relies on it.
    """
    other, by_phone = intended.other, intended.by_phone
    present = turn.conversations.others_in(conversation)
    is_of_several = turn.utterances.is_of_several(conversation)
    if is_of_several and present and other not in present:
        other = present[0]
    if not by_phone:
        turn.conversations.require_in_touch(other)
        by_phone = turn.conversations.is_on_phone_with(other)
    others = {other, *intended.besides, *(present if is_of_several else ())}
    spoken = sorted(
        [*turn.utterances.heard_in(conversation), *turn.utterances.heard_beside(conversation)],
        key=attrgetter("tick"),
    )
    number = turn.utterances.next_number_in(conversation)
    beside = sorted(others - {other})
    utterances_max = turn.settings.talk_utterances_max
    turn, summary = with_summary(turn)
    outline = day_outline(turn)
    memories = _memories(turn, other, spoken[-1].text if spoken else intended.intent)
    inputs = UtteranceInput(
        agent_name=turn.identity.name,
        other_name=turn.name_of(other),
        summary=summary,
        now=turn.now,
        place=own_place(turn),
        status=_own_status(turn),
        other_status=_status_of_other(turn, other, conversation),
        intent=intended.intent or _intent_in(turn, conversation, other),
        since=intended.since,
        acquaintance=acquaintance_with(turn, other),
        agreements=open_agreements(turn),
        promises=promises_for(turn, other),
        outline=outline,
        performed=turn.deeds_today(),
        coming=coming_actions(turn),
        memories=without_outlined(memories, outline),
        lines=lines_of(turn, spoken),
        utterances_left=max(1, utterances_max - number + 1),
        besides=tuple(map(turn.name_of, beside)),
        ties_besides=tuple(acquaintance_with(turn, one) for one in beside),
        within_hearing=_within_hearing(turn, {other, *others}),
        by_phone=by_phone,
        departure=departure_of(turn),
    )
    said = dialogue.speak(
        turn.llm,
        inputs,
        conversation=conversation,
        others={turn.name_of(one): one for one in sorted(others)},
        number=number,
    )
    return turn.intending(SILENT) if said is None else utter(turn, said, cause=intended.cause)


def utter(turn: Turn, said: Said, *, cause: str) -> Turn:
    """Record the utterance, and stay until it is said and its answer is overdue."""
    turn = turn.record(said, cause=cause)
    until = turn.tick + _patience_with(turn, said)
    others = said.participants or (said.to,)
    return stand_talking(turn, others, until=until, cause=turn.last_event)


def _patience_with(context: TurnContext, said: Said) -> int:
    """Return for how many ticks the agent says the words and waits for an answer to them.

    The wait is as long as the longest answer takes; for an agent that a user controls it
    includes the time to think and to type.
    """
    constants = context.constants
    spoken = constants.speaking_ticks(said.text)
    if said.ends and not (said.by_phone and said.number == 1):
        return spoken
    if said.by_phone and said.number == 1:
        spoken += constants.ring_ticks
        is_controlled = False  # not known before the other agent answers
    else:
        is_controlled = context.conversations.is_controlled_by_user(said.to)
    patience = constants.users_patience_ticks if is_controlled else PATIENCE_TICKS
    return spoken + constants.hearing_ticks + patience


def wait_on(turn: Turn, talk: Talk) -> Turn:
    """Stay for as long as another utterance and the wait for it take."""
    until = turn.tick + turn.constants.hearing_ticks + PATIENCE_TICKS
    return stand_talking(turn, company(turn, talk), until=until, cause="")


def listen_on(turn: Turn, talk: Talk, heard: Spoken) -> Turn:
    """Stay in a conversation of several, after words that another one is to answer."""
    until = turn.tick + turn.constants.hearing_ticks + PATIENCE_TICKS
    if turn.action is not None:
        until = max(until, turn.action.until_tick)
    others = company(turn, talk)
    return stand_talking(turn, others, until=until, cause=heard.event)


def company(context: TurnContext, talk: Talk) -> Sequence[str]:
    """Return the agents that the agent talks with."""
    if context.utterances.is_of_several(talk.conversation):
        return context.conversations.others_in(talk.conversation) or (talk.other,)
    return (talk.other,)


def stand_talking(turn: Turn, others: Sequence[str], *, until: int, cause: str) -> Turn:
    """Begin to talk on the spot; an object that the agent uses stays in use."""
    doing = turn.action
    stays = doing is not None and not doing.towards and not doing.asleep
    began = ActionBegan(
        description=talking_text(map(turn.name_of, others)),
        emoji=TALKING_EMOJI,
        tile=turn.tile,
        area=turn.area,
        object=doing.object if doing is not None and stays else "",
        object_state=doing.object_state if doing is not None and stays else "",
        asleep=False,
        until_tick=until,
        plan_item=doing.plan_item if doing is not None else 0,
        kind=ActionKind.TALKING,
    )
    return turn.record(began, cause=cause).intending(PERFORMED)


def talking_text(names: Iterable[str]) -> str:
    """Return the action of talking with the agents of the names in words."""
    return phrase("talking with {names}", names=phrase(" and ").join(names))


def _intent_in(context: TurnContext, conversation: str, other: str) -> str:
    """Return the agent's reason for the conversation, "" if it is carried out.

    It is carried out after INTENT_UTTERANCES utterances of the agent. If the other agent opened
    the conversation, the reason is what the agent had put off.
    """
    own = context.utterances.said_in(conversation)
    if own:
        return own[0].intent if len(own) < INTENT_UTTERANCES else ""
    put_off = (one.what for one in context.records.put_off if one.other == other)
    return next(put_off, "")


def lines_of(context: TurnContext, spoken: Sequence[Spoken]) -> tuple[Line, ...]:
    """Return utterances as lines of a dialogue."""
    return tuple(Line(speaker=context.name_of(said.agent), text=said.text) for said in spoken)


def _own_status(turn: Turn) -> AgentStatus:
    """Return what the agent is doing; while it talks, what it did before."""
    own = turn.action
    is_talking = own is not None and own.kind is ActionKind.TALKING
    if turn.talk is None and not is_talking:
        return status_of(turn, turn.identity.slug)
    return AgentStatus(
        agent_name=turn.identity.name, activity=_before_talk(turn), is_before_talk=True
    )


def _before_talk(context: TurnContext) -> str:
    """Return what the agent did before it talked; of a walk, what it was about to begin."""
    before, planned = context.records.before_talk, context.records.action
    if before is None:
        return ""
    if before.kind is ActionKind.WALKING and planned is not None and not planned.asleep:
        return phrase("about to begin {activity}", activity=planned.description)
    return before.activity


def _within_hearing(context: TurnContext, participants: set[str]) -> tuple[str, ...]:
    """Return the names of the agents in view that can hear the words, nearest first."""
    distance = context.settings.hearing_distance
    return tuple(
        context.name_of(other)
        for steps, other in context.view.agents_in_view()
        if steps <= distance and other not in participants and not context.view.is_asleep(other)
    )


def _status_of_other(context: TurnContext, other: str, conversation: str) -> AgentStatus:
    """Return what the other agent is doing; while it talks here, what it did before."""
    if context.view.is_in_view(other):
        talk = context.conversations.talk_of(other)
        before = context.conversations.doing_before_talk(other)
        if before and talk is not None and talk.conversation == conversation:
            return AgentStatus(
                agent_name=context.name_of(other), activity=before, is_before_talk=True
            )
    return status_of(context, other)


def _memories(context: TurnContext, other: str, said: str) -> tuple[MemoryItem, ...]:
    """Return the memories of the other agent and of what was just said, best first."""
    budget = context.settings.retrieval_tokens // SHARES_OF_BUDGET
    purpose = RetrievalPurpose.UTTERANCE
    context.retrieval.embed([relationship_query(context, other), *([said] if said else ())])
    found = retrieve_relationship(context, other, purpose, token_budget=budget)
    if said:
        found += context.retrieval.retrieve(said, purpose, token_budget=budget)
    return context.items({one.number: one for one in (*found, *lately_ended(context))}.values())
