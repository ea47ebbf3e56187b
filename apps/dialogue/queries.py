"""Conversations as of the end of any tick."""

from collections.abc import Iterable
from uuid import UUID

from django.db.models import Q, QuerySet

from apps.dialogue.models import TalkRow, UtteranceRow
from apps.dialogue.voices import Spoken, Talk, Voices

_SPOKEN = ("agent", "tick", "conversation", "number", "to", "text", "ends", "event")
_TALK = ("agent", "conversation", "other", "from_tick", "to_tick")


def voices(
    simulation_id: UUID,
    *,
    from_tick: int,
    to_tick: int | None = None,
    agents: Iterable[str] | None = None,
) -> Voices:
    """Return what was said in the ticks, and the talks that stood at some time in them."""
    chosen = None if agents is None else list(agents)
    return Voices(
        spoken=utterances(simulation_id, from_tick=from_tick, to_tick=to_tick, agents=chosen),
        talks=talks(simulation_id, from_tick=from_tick, to_tick=to_tick, agents=chosen),
    )


def utterances(
    simulation_id: UUID,
    *,
    from_tick: int,
    to_tick: int | None = None,
    agents: Iterable[str] | None = None,
    to: str | None = None,
) -> tuple[Spoken, ...]:
    """Return what was said in the ticks, in order: by these agents, to this one."""
    rows = UtteranceRow.objects.filter(simulation_id=simulation_id, tick__gte=from_tick)
    if to_tick is not None:
        rows = rows.filter(tick__lte=to_tick)
    if agents is not None:
        rows = rows.filter(agent__in=list(agents))
    if to is not None:
        rows = rows.filter(to=to)
    return _spoken(rows)


def talks(
    simulation_id: UUID,
    *,
    from_tick: int,
    to_tick: int | None = None,
    agents: Iterable[str] | None = None,
) -> tuple[Talk, ...]:
    """Return the conversations that agents were in at some time in the ticks."""
    rows = TalkRow.objects.filter(
        Q(to_tick=None) | Q(to_tick__gt=from_tick), simulation_id=simulation_id
    )
    if to_tick is not None:
        rows = rows.filter(from_tick__lte=to_tick)
    if agents is not None:
        rows = rows.filter(agent__in=list(agents))
    return _talks(rows)


def utterances_of(
    simulation_id: UUID, conversation: str, *, as_of_tick: int
) -> tuple[Spoken, ...]:
    """Return what was said in a conversation up to the end of the tick, in order."""
    return _spoken(
        UtteranceRow.objects.filter(
            simulation_id=simulation_id, conversation=conversation, tick__lte=as_of_tick
        )
    )


def last_words(
    simulation_id: UUID, conversations: Iterable[str], *, as_of_tick: int
) -> dict[str, Spoken]:
    """Return what was said last in each of the conversations, by their ids."""
    rows = UtteranceRow.objects.filter(
        simulation_id=simulation_id,
        conversation__in=list(conversations),
        tick__lte=as_of_tick,
    )
    return {said.conversation: said for said in _spoken(rows)}


def said_to(
    simulation_id: UUID, agent: str, *, from_tick: int, to_tick: int, count: int
) -> tuple[Spoken, ...]:
    """Return the latest utterances to an agent in the ticks, in order."""
    rows = UtteranceRow.objects.filter(
        simulation_id=simulation_id, to=agent, tick__gte=from_tick, tick__lte=to_tick
    )
    latest = rows.order_by("-tick", "agent").values(*_SPOKEN)[:count]
    return tuple(Spoken(**values) for values in reversed(latest))


def last_talks(simulation_id: UUID, agent: str, *, as_of_tick: int) -> dict[str, Talk]:
    """Return the latest conversation that is over with each other agent, by slug."""
    over = TalkRow.objects.filter(
        simulation_id=simulation_id, agent=agent, to_tick__lte=as_of_tick
    ).order_by("other", "-from_tick")
    return {talk.other: talk for talk in _talks(over.distinct("other"))}


def _spoken(rows: QuerySet[UtteranceRow]) -> tuple[Spoken, ...]:
    found = rows.order_by("tick", "agent").values(*_SPOKEN)
    return tuple(Spoken(**values) for values in found)


def _talks(rows: QuerySet[TalkRow]) -> tuple[Talk, ...]:
    if not rows.query.order_by:
        rows = rows.order_by("agent", "from_tick")
    return tuple(Talk(**values) for values in rows.values(*_TALK))
