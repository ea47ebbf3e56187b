"""Observe and overhear: what is new in view, and what others say among themselves (M2, D2)."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import attrgetter

from apps.agents.events import Noticed
from apps.agents.phrases import doing_text, object_text
from apps.dialogue.events import Overheard
from apps.dialogue.utterances import Spoken
from apps.kernel.language import noted, phrase
from apps.kernel.text import join_and, shortened
from apps.memory.events import MemoryOrigin
from apps.memory.rules import NOTED_IMPORTANCE, ROUTINE_IMPORTANCE
from apps.simulation.snapshot.perception import InView
from apps.simulation.turn.context.outcome import Turn
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.perceive.relationships import own_place
from apps.simulation.turn.remember.activities import (
    activity_seen,
    importance_of_sight,
    is_unremarkable,
)
from apps.simulation.turn.remember.conversation_memories import utterance_text
from apps.simulation.turn.remember.fact_changes import facts_described, known_by_facts
from apps.simulation.turn.remember.remember import learn_place, remember_or_count

IN_A_CROWD = noted("in a crowd")
# A crowd is counted in tens, and has the names of so many that the agent has talked with.
CROWD_ROUNDED, CROWD_NAMES_MAX = 10, 3


def remember_description(turn: Turn) -> Turn:
    """Remember each phrase of the agent's description, and its facts (paper 3.1, U5)."""
    facts = facts_described(
        turn.llm, turn.constants, turn.identity, turn.description, tick=turn.tick
    )
    known = known_by_facts(facts)
    for number, statement in enumerate(turn.description, start=1):
        turn = turn.with_memory(
            statement, origin=MemoryOrigin.DESCRIPTION, **known.get(number, {})
        )
    for fact in facts:
        turn = turn.record(fact)
    return turn


def observe(turn: Turn) -> Turn:
    """Notice what is new in view, learn the place around, and perceive that it closes."""
    turn = _notice(turn)
    turn = _learn_nodes_around(turn)
    return _perceive_closing(turn) if turn.is_place_closing else turn


def _notice(turn: Turn) -> Turn:
    if not turn.news:
        return turn
    turn = turn.record(Noticed(sights=tuple(seen.sight for seen in turn.news)))
    is_in_crowd = False
    for index, seen in enumerate(turn.news):
        if seen.is_far or is_unremarkable(turn, seen) or _is_other_side(turn, index):
            continue
        if _is_crowded(turn) and not _is_of_user(turn, seen):
            is_in_crowd = True
            continue
        turn = _remember_sight(turn, seen)
    return _remember_crowd(turn) if is_in_crowd else turn


def _is_crowded(context: TurnContext) -> bool:
    """Return whether the agent has remembered the sights and talks of an hour (ADR 96)."""
    return context.records.sights_of_hour >= context.settings.sights_per_hour


def _is_of_user(context: TurnContext, seen: InView) -> bool:
    """Return whether a user has brought about what is seen: it is always remembered."""
    return seen.sight.is_object or importance_of_sight(context, seen) is None


def _remember_crowd(turn: Turn) -> Turn:
    """Remember once a day in an area that many are there, and who of them the agent knows."""
    activity, area = phrase(IN_A_CROWD), turn.area
    earlier = turn.retrieval.of_activity(activity, subject=area)
    if earlier and turn.plan_day_of(earlier.last_tick) == turn.plan_day_of(turn.tick):
        return turn
    around = [other for _distance, other in turn.view.agents_in_view()]
    known = [turn.name_of(one) for one in around if one in turn.records.last_talks]
    count = max(CROWD_ROUNDED, round(len(around), -1))
    text = phrase("about {count} people: {place}", count=str(count), place=own_place(turn))
    if known:
        names = join_and(known[:CROWD_NAMES_MAX])
        text = phrase("{crowd}; {names} among them", crowd=text, names=names)
    return remember_or_count(
        turn,
        text,
        subject=area,
        origin=MemoryOrigin.PERCEIVED_OBJECT,
        importance=NOTED_IMPORTANCE,
        activity=activity,
    )


def _is_other_side(context: TurnContext, index: int) -> bool:
    """Return whether the sight is of a conversation that the agent has noticed already.

    A conversation of others is remembered once, as what the first of them is seen to do.
    """
    view, sight = context.view, context.news[index].sight
    talk = None if sight.is_object else context.conversations.talk_of(sight.subject)
    if talk is None or not view.is_in_view(talk.other):
        return False
    theirs, doing = context.conversations.talk_of(talk.other), view.action_of(talk.other)
    if theirs is None or doing is None or theirs.conversation != talk.conversation:
        return False
    if any(seen.sight.subject == talk.other for seen in context.news[:index]):
        return True
    noticed = context.acquainted.agents.get(talk.other)
    shown = doing_text(context.name_of(talk.other), doing.description)
    return noticed is not None and noticed.description == shown


def _learn_nodes_around(turn: Turn) -> Turn:
    return learn_place(turn, turn.area) if turn.area else turn


def _perceive_closing(turn: Turn) -> Turn:
    place = turn.tree.place_of(turn.area)
    return remember_or_count(
        turn,
        phrase("{place} is closing", place=place),
        subject=place,
        origin=MemoryOrigin.CLOSING,
        importance=ROUTINE_IMPORTANCE,
    )


def _remember_sight(turn: Turn, seen: InView) -> Turn:
    """Remember the sight; an activity of another agent is counted once a day (ADR 50)."""
    sight, doing, activity = seen.sight, None, activity_seen(turn, seen)
    earlier = turn.retrieval.of_activity(activity, subject=sight.subject) if activity else None
    if earlier is not None:
        if turn.plan_day_of(earlier.last_tick) == turn.plan_day_of(turn.tick):
            return turn
        return turn.with_repetition(earlier.number, cause=seen.source)
    text, origin = sight.description, MemoryOrigin.PERCEIVED_AGENT
    if sight.is_object:
        node = turn.tree.node(sight.subject)
        text, origin = object_text(node.name, text), MemoryOrigin.PERCEIVED_OBJECT
    else:
        doing = turn.view.action_of(sight.subject)
    return remember_or_count(
        turn,
        text,
        cause=seen.source,
        subject=sight.subject,
        origin=origin,
        importance=importance_of_sight(turn, seen),
        action=None if doing is None else doing.kind,
        activity=activity,
    )


OVERHEARD_IMPORTANCE = 2
# A memory has the longest utterances that fit, each cut to a part; all are on the log.
WORDS_CHARACTERS_MAX, LINE_CHARACTERS_MAX = 400, 120


def overhear(turn: Turn) -> Turn:
    """Record the utterances to others that the agent overhears.

    A conversation becomes a memory when the agent hears no more of it (ADR 57). One that the
    agent listens to as one of several ends in another step (`conversation.listening`).
    """
    heard = by_conversation(turn.utterances.overheard())
    before = by_conversation(turn.records.overheard)
    for conversation in dict.fromkeys((*before, *heard)):
        new = heard.get(conversation, [])
        spoken = [*before.get(conversation, []), *new]
        is_over = not (is_listened_to(turn, spoken) or goes_on(turn, conversation, spoken))
        if not new and not is_over:
            continue
        event = Overheard(
            conversation=conversation,
            utterances=tuple(said.event for said in new),
            is_over=is_over,
        )
        turn = turn.record(event, cause=new[-1].event if new else "")
        if is_over:
            turn = _remember(turn, spoken)
    return turn


def by_conversation(spoken: Sequence[Spoken]) -> dict[str, list[Spoken]]:
    """Return the utterances of each conversation in order."""
    ordered = sorted(spoken, key=attrgetter("conversation", "order"))
    return {one: list(said) for one, said in groupby(ordered, attrgetter("conversation"))}


def is_listened_to(context: TurnContext, spoken: Sequence[Spoken]) -> bool:
    """Return whether one of the utterances is said to the agent, too."""
    return any(context.identity.slug in said.hearers for said in spoken)


def goes_on(context: TurnContext, conversation: str, spoken: Sequence[Spoken]) -> bool:
    """Return whether a member of the conversation, in view, is in it and the agent is not."""
    own = context.view.own_talk
    if own is not None and own.conversation == conversation:
        return False
    members = {one for said in spoken for one in (said.agent, *said.hearers)}
    talks = (
        context.conversations.talk_of(other)
        for _distance, other in context.view.agents_in_view()
        if other in members
    )
    return any(talk is not None and talk.conversation == conversation for talk in talks)


def _remember(turn: Turn, spoken: Sequence[Spoken]) -> Turn:
    if _is_crowded(turn):
        return turn
    return remember_or_count(
        turn,
        _text(turn, spoken),
        importance=OVERHEARD_IMPORTANCE,
        cause=turn.last_event,
        subject=spoken[0].agent,
        origin=MemoryOrigin.OVERHEARD,
    )


def _text(context: TurnContext, spoken: Sequence[Spoken]) -> str:
    """Return who said what, without the shortest utterances of a long conversation."""
    if len(spoken) == 1:
        return utterance_text(context, spoken[0])
    members = dict.fromkeys(one for said in spoken for one in (said.agent, *said.hearers))
    words = {said.event: shortened(said.text, LINE_CHARACTERS_MAX) for said in spoken}
    fitting = _fitting(words)
    lines = [
        phrase(
            '{speaker}: "{words}"', speaker=context.name_of(said.agent), words=words[said.event]
        )
        for said in spoken
        if said.event in fitting
    ]
    return phrase(
        "{name} overheard {others} talking. {lines}",
        name=context.identity.name,
        others=join_and([context.name_of(one) for one in members]),
        lines=" ".join(lines),
    )


def _fitting(words: Mapping[str, str]) -> set[str]:
    """Return the keys of the longest words that fit into a memory."""
    left, found = WORDS_CHARACTERS_MAX, set()
    for key in sorted(words, key=lambda one: (-len(words[one]), one)):
        left -= len(words[key])
        if left >= 0:
            found.add(key)
    return found
