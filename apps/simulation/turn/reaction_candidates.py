"""The observations that may change what an agent does (X1, X2, X3)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from apps.reaction.inputs import (
    Observed,
    ObservedAgent,
    ObservedObject,
    UserObservation,
)
from apps.simulation.snapshot.perception import InView, shows_alarm
from apps.simulation.turn.context import TurnContext
from apps.simulation.turn.relationships import (
    acquaintance_with,
    status_of,
)

OBSERVED_MAX = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class ReactionCandidate:
    """An observation that may change what the agent does.

    `subject` is a slug, a path or an event's identity; `source` is the event that the
    observation comes from, "" for none; `agent` is the slug of the agent in it, "" where that
    is the subject.
    """

    subject: str
    observed: Observed
    source: str
    agent: str = ""


def is_free(context: TurnContext, other: str) -> bool:
    """Return whether the other one is awake and in no conversation, if there are any at all."""
    if not context.constants.settings.talk_utterances_max:
        return False
    return not context.view.is_asleep(other) and context.view.talk_of(other) is None


def new_candidates(context: TurnContext) -> Iterator[ReactionCandidate]:
    """Yield agents that are free to be addressed, and objects whose state was set."""
    found = [seen for seen in context.news if _may_matter(context, seen)]
    undecided = undecided_subjects(context, [seen.sight.subject for seen in found])
    found = [seen for seen in found if seen.sight.subject in undecided]
    for seen in found[:OBSERVED_MAX]:
        yield (
            object_candidate(context, seen)
            if seen.sight.is_object
            else _agent_candidate(context, seen)
        )


def _may_matter(context: TurnContext, seen: InView) -> bool:
    if seen.sight.is_object:
        return context.view.set_state_of(seen.sight.subject) is not None
    return is_free(context, seen.sight.subject)


def undecided_subjects(context: TurnContext, subjects: Iterable[str]) -> frozenset[str]:
    """Return the subjects that the agent has not decided about lately (X3)."""
    return frozenset(subjects) - context.records.decided_about


def _agent_candidate(context: TurnContext, seen: InView) -> ReactionCandidate:
    other = seen.sight.subject
    observed = ObservedAgent(
        status=status_of(context, other),
        may_talk=is_free(context, other),
        acquaintance=acquaintance_with(context, other),
    )
    return ReactionCandidate(subject=other, observed=observed, source=seen.source)


def object_candidate(context: TurnContext, seen: InView) -> ReactionCandidate:
    """Return an object in view as a candidate."""
    node = context.constants.world.tree.node(seen.sight.subject)
    state = seen.sight.description
    is_alarming = shows_alarm(seen, context.view.set_state_of(node.path))
    observed = ObservedObject(name=node.name, state=state, is_alarming=is_alarming)
    return ReactionCandidate(subject=node.path, observed=observed, source=seen.source)


def is_alarming(observed: Observed) -> bool:
    """Return whether the observation is of a danger."""
    return isinstance(observed, ObservedObject | UserObservation) and observed.is_alarming
