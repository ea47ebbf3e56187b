"""Queries of conversations, as of the end of any tick."""

import json
from collections.abc import Iterable
from dataclasses import fields
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from apps.dialogue import statements
from apps.dialogue.commitments import (
    OpenCommitment,
    first_open_day,
    still_open,
    stored_commitment,
)
from apps.dialogue.models import CommitmentRow, OverheardRow, UtteranceRow
from apps.dialogue.utterances import Spoken, Talk, Voices
from apps.lineage.statements import history_rows, values_between

_SPOKEN = tuple(field.name for field in fields(Spoken))
_COMMITMENT = [field.name for field in fields(OpenCommitment)]
_TALK = tuple(field.name for field in fields(Talk))


def voices(
    simulation_id: UUID,
    *,
    from_tick: int,
    to_tick: int | None = None,
    agents: Iterable[str] | None = None,
) -> Voices:
    """Return the utterances of the ticks, and the conversations that overlap them."""
    slugs = None if agents is None else list(agents)
    parameters = values_between(simulation_id, from_tick, to_tick, slugs)
    parameters |= {"heard_from_tick": from_tick, "agent": None}
    spoken = history_rows(statements.UTTERANCES, parameters, simulation_id)
    return Voices(
        spoken=tuple(map(_utterance, spoken)),
        talks=talks(simulation_id, from_tick=from_tick, to_tick=to_tick, agents=slugs),
    )


def talks(
    simulation_id: UUID,
    *,
    from_tick: int,
    to_tick: int | None = None,
    agents: Iterable[str] | None = None,
) -> tuple[Talk, ...]:
    """Return the agents' parts in conversations that overlap the ticks."""
    parameters = values_between(simulation_id, from_tick, to_tick, agents)
    parameters |= {"heard_from_tick": from_tick, "agent": None}
    found = history_rows(statements.TALKS, parameters, simulation_id)
    return tuple(Talk(**dict(zip(_TALK, row, strict=True))) for row in found)


def utterances_of(
    simulation_id: UUID, conversation: str, *, as_of_tick: int
) -> tuple[Spoken, ...]:
    """Return the utterances of a conversation up to the end of the tick, in order."""
    rows = utterance_rows(simulation_id, conversation=conversation, tick__lte=as_of_tick)
    return _spoken(rows)


def last_words(
    simulation_id: UUID, conversations: Iterable[str], *, as_of_tick: int
) -> dict[str, Spoken]:
    """Return the last utterance of each of the conversations, by their ids."""
    ids = list(conversations)
    rows = utterance_rows(simulation_id, conversation__in=ids, tick__lte=as_of_tick)
    return {utterance.conversation: utterance for utterance in _spoken(rows)}


def said_in(simulation_id: UUID, events: Iterable[str]) -> tuple[Spoken, ...]:
    """Return the utterances of the events, in order."""
    return _spoken(utterance_rows(simulation_id, event__in=list(events)))


def utterances_with_memory(
    simulation_id: UUID, agent: str, number: int, *, as_of_tick: int, count: int
) -> tuple[Spoken, ...]:
    """Return the latest utterances of an agent with a memory in their prompt, in order."""
    rows = utterance_rows(
        simulation_id, agent=agent, memories__contains=[number], tick__lte=as_of_tick
    )
    latest = rows.order_by("-tick").values(*_SPOKEN)[:count]
    return tuple(Spoken(**values) for values in reversed(latest))


def overheard_by(
    simulation_id: UUID, agent: str, *, from_tick: int, to_tick: int, count: int
) -> tuple[Spoken, ...]:
    """Return the latest utterances to others that an agent overheard in the ticks, in order."""
    rows = OverheardRow.objects.filter(
        simulation_id=simulation_id, agent=agent, tick__range=(from_tick, to_tick)
    )
    heard = rows.exclude(utterances=[]).order_by("-tick")[:count]
    return said_in(simulation_id, (event for row in heard for event in row.utterances))


def said_to(
    simulation_id: UUID, agent: str, *, from_tick: int, to_tick: int, count: int
) -> tuple[Spoken, ...]:
    """Return the latest utterances to an agent in the ticks, in order."""
    rows = utterance_rows(simulation_id, tick__gte=from_tick, tick__lte=to_tick)
    latest = rows.filter(_is_to(agent)).order_by("-tick", "agent").values(*_SPOKEN)[:count]
    return tuple(Spoken(**values) for values in reversed(latest))


def open_commitments(
    simulation_id: UUID, agent: str, *, now: datetime, as_of_tick: int
) -> tuple[OpenCommitment, ...]:
    """Return the agreements that are not over, changed, cancelled or kept, in order of time."""
    rows = CommitmentRow.objects.filter(
        Q(superseded_tick=None) | Q(superseded_tick__gt=as_of_tick),
        Q(ended_tick=None) | Q(ended_tick__gt=as_of_tick),
        simulation_id=simulation_id,
        agent=agent,
        declined=False,
        cancelled=False,
        tick__lte=as_of_tick,
        day__gte=first_open_day(now),
    )
    found = map(stored_commitment, rows.values(*_COMMITMENT))
    return still_open(found, now)


def utterance_rows(simulation_id: UUID, **conditions: Any) -> QuerySet[UtteranceRow]:
    """Return the rows that meet the conditions; None is no condition."""
    given = {name: value for name, value in conditions.items() if value is not None}
    return UtteranceRow.objects.filter(simulation_id=simulation_id, **given)


def _utterance(row: tuple[Any, ...]) -> Spoken:
    values = dict(zip(_SPOKEN, row, strict=True))
    return Spoken(**{**values, "participants": json.loads(values["participants"])})


def _is_to(agent: str) -> Q:
    return Q(to=agent) | Q(participants__contains=[agent])


def _spoken(rows: QuerySet[UtteranceRow]) -> tuple[Spoken, ...]:
    return tuple(Spoken(**values) for values in rows.order_by("tick", "agent").values(*_SPOKEN))
