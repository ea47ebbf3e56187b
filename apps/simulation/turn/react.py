"""React: decide whether what an agent perceives changes what it does (X1, X2)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from apps.agents import queries as agent_queries
from apps.agents.events import ActionKind, ObjectRighted
from apps.memory.items import MemoryItem
from apps.memory.purposes import RetrievalPurpose
from apps.planning.inputs import ReactionDecided
from apps.planning.matching import chosen
from apps.planning.revision import FirstThing
from apps.planning.surroundings import known_areas, known_places
from apps.reaction import queries as reaction_queries
from apps.reaction.commands import Reaction, decide_reaction
from apps.reaction.events import Weighed
from apps.reaction.inputs import (
    DecisionInput,
    Observed,
    ObservedAgent,
    ObservedObject,
    Obstacle,
    ToldObservation,
    agent_in,
)
from apps.reaction.llm_tasks.decision import observation_text
from apps.simulation.snapshot.perception import InView, shows_alarm
from apps.simulation.turn.context import Turn
from apps.simulation.turn.converse import break_off, open_talk
from apps.simulation.turn.plan import (
    next_hours,
    next_planned_times,
    revise_plans,
    summary_of,
)
from apps.simulation.turn.relationships import about_them, last_talk, own_place, status_of

OBSERVED_MAX = 3
# The memories of all observations of one decision share the budget of a prompt.
SHARES_OF_BUDGET = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class ReactionCandidate:
    """An observation that may change what the agent does.

    `subject` is a slug, a path or an event's identity; `source` is the event that the
    observation comes from, "" for none.
    """

    subject: str
    observed: Observed
    source: str


def react_to_alarm(turn: Turn, news: Sequence[InView]) -> bool:
    """React to the new dangers, whatever the agent is doing; return whether it does."""
    candidates = [_object(turn, seen) for seen in news if seen.sight.is_object]
    return react_to(turn, [one for one in candidates if _is_alarming(one.observed)])


def react(turn: Turn, news: Sequence[InView]) -> bool:
    """React to what is new and was not decided about lately; return whether it does (X1)."""
    return react_to(turn, list(_candidates(turn, news)))


def react_to_obstacle(turn: Turn) -> bool:
    """Decide after a wait whether to do something else; return whether it does (X4)."""
    action = turn.action
    if action is None or not turn.is_over or action.kind is not ActionKind.WAITING:
        return False
    refused = agent_queries.latest_refusal(
        turn.constants.simulation_id, turn.identity.slug, tick=action.from_tick
    )
    if refused is None or not _undecided(turn, [refused.node]):
        return False
    obstacle = Obstacle(description=refused.why)
    return react_to(
        turn, [ReactionCandidate(subject=refused.node, observed=obstacle, source="")]
    )


def right_what_was_minded(turn: Turn) -> None:
    """Restore the state of an object after the agent has acted on it in reaction to it.

    Using the object without having reacted to its state does not restore it.
    """
    action = turn.action
    if action is None or not action.object or not turn.is_over:
        return
    state = turn.view.set_state_of(action.object)
    if state is None or state.from_tick >= action.from_tick:
        return
    if reaction_queries.has_acted_on(
        turn.constants.simulation_id,
        turn.identity.slug,
        subject=action.object,
        since_tick=state.from_tick,
        as_of_tick=turn.before,
    ):
        turn.say(ObjectRighted(object=action.object, since=state.event), cause=action.event)


def react_to(turn: Turn, candidates: Sequence[ReactionCandidate]) -> bool:
    """Decide about the candidates together; return whether the agent does anything (X1).

    What a user tells the agent is decided about whenever it comes (U6).
    """
    is_alarmed = any(_is_alarming(one.observed) for one in candidates)
    if not candidates or not (is_alarmed or next_hours(turn)):
        return False  # an agent without a plan makes one first
    decided = decide_reaction(turn.llm, _decision_input(turn, candidates))
    about = candidates[0 if decided is None else decided.observation]
    cause = turn.say(
        Weighed(
            subjects=tuple(one.subject for one in candidates),
            choice=_choice(decided),
            about=about.subject,
            what="" if decided is None else decided.what,
        ),
        cause=about.source,
    )
    if decided is None:
        return False
    break_off(turn)
    if decided.is_talk:
        open_talk(turn, about.subject, intent=decided.what, cause=cause)
    else:
        _act(turn, about, decided, cause=cause)
    return True


def _act(turn: Turn, about: ReactionCandidate, decided: Reaction, *, cause: str) -> None:
    """Do it at once and revise the rest of the day's plan (X2)."""
    observation = observation_text(about.observed)
    revise_plans(
        turn,
        reasons=(ReactionDecided(observation=observation, activity=decided.what),),
        first=FirstThing(
            description=decided.what,
            place=_place(turn, about, decided),
            ticks=turn.constants.calendar.ticks_of(minutes=decided.minutes),
        ),
        cause=cause,
    )


def place_decided(turn: Turn, words: str) -> str:
    """Return the known place that the words mean, else where the agent is."""
    return chosen(words, _known_places(turn)) or turn.area or turn.identity.home


def _place(turn: Turn, about: ReactionCandidate, decided: Reaction) -> str:
    """Return where it is done: as decided if that is known, else by the object, else here.

    What is done instead of waiting is done outside what the agent waits for.
    """
    tree = turn.constants.world.tree
    default = turn.area or turn.identity.home
    if about.subject in tree and not isinstance(about.observed, Obstacle):
        node = tree.node(about.subject)
        default = tree.area_of(about.subject) if node.path != turn.area else turn.area
    return chosen(decided.place, _known_places(turn)) or default


def _decision_input(turn: Turn, candidates: Sequence[ReactionCandidate]) -> DecisionInput:
    observed = tuple(one.observed for one in candidates)
    return DecisionInput(
        agent_name=turn.identity.name,
        summary=summary_of(turn),
        now=turn.now,
        place=own_place(turn),
        status=status_of(turn, turn.identity.slug),
        plans=next_planned_times(turn),
        observed=observed,
        memories=_memories(turn, candidates),
        known_places=tuple(_known_places(turn)),
    )


def _memories(turn: Turn, candidates: Sequence[ReactionCandidate]) -> tuple[MemoryItem, ...]:
    """Return the memories of the observed agents and of what they do (X1), each once.

    Where one of them is free to be addressed, also what the agent has to tell.
    """
    budget = turn.constants.settings.retrieval_tokens // SHARES_OF_BUDGET
    found = []
    for one in candidates:
        if agent_in(one.observed) is not None:
            found += about_them(
                turn, one.subject, RetrievalPurpose.REACTION, token_budget=budget
            )
        query = observation_text(one.observed)
        found += turn.retrieval.retrieve(query, RetrievalPurpose.REACTION, token_budget=budget)
    agents = [agent for one in candidates if (agent := agent_in(one.observed)) is not None]
    if any(agent.may_talk for agent in agents):
        news = f"news that {turn.identity.name} has heard or wants to tell"
        found += turn.retrieval.retrieve(news, RetrievalPurpose.REACTION, token_budget=budget)
    return turn.items({memory.number: memory for memory in found}.values())


def _candidates(turn: Turn, news: Sequence[InView]) -> Iterator[ReactionCandidate]:
    """Yield agents that are free to be addressed, and objects whose state was set."""
    found = [seen for seen in news if _may_matter(turn, seen)]
    undecided = _undecided(turn, [seen.sight.subject for seen in found])
    found = [seen for seen in found if seen.sight.subject in undecided]
    for seen in found[:OBSERVED_MAX]:
        yield _object(turn, seen) if seen.sight.is_object else _agent(turn, seen)


def _may_matter(turn: Turn, seen: InView) -> bool:
    if seen.sight.is_object:
        return turn.view.set_state_of(seen.sight.subject) is not None
    return is_free(turn, seen.sight.subject)


def is_free(turn: Turn, other: str) -> bool:
    """Return whether the other one is awake and in no conversation, if there are any at all."""
    if not turn.constants.settings.talk_utterances_max:
        return False
    return not turn.view.is_asleep(other) and turn.view.talk_of(other) is None


def _undecided(turn: Turn, subjects: Iterable[str]) -> frozenset[str]:
    """Return the subjects that the agent has not decided about lately (X3)."""
    subjects = frozenset(subjects)
    pause = turn.constants.settings.reaction_pause_minutes
    if not subjects or not pause:
        return subjects
    return subjects - reaction_queries.weighed_since(
        turn.constants.simulation_id,
        turn.identity.slug,
        since_tick=turn.tick - turn.constants.calendar.ticks_of(minutes=pause),
        as_of_tick=turn.before,
    )


def _agent(turn: Turn, seen: InView) -> ReactionCandidate:
    other = seen.sight.subject
    observed = ObservedAgent(
        status=status_of(turn, other),
        may_talk=is_free(turn, other),
        last_talk=last_talk(turn, other),
    )
    return ReactionCandidate(subject=other, observed=observed, source=seen.source)


def _object(turn: Turn, seen: InView) -> ReactionCandidate:
    node, state = turn.constants.world.tree.node(seen.sight.subject), seen.sight.description
    is_alarming = shows_alarm(seen, turn.view.set_state_of(node.path))
    observed = ObservedObject(name=node.name, state=state, is_alarming=is_alarming)
    return ReactionCandidate(subject=node.path, observed=observed, source=seen.source)


def _is_alarming(observed: Observed) -> bool:
    return isinstance(observed, ObservedObject | ToldObservation) and observed.is_alarming


def _choice(decided: Reaction | None) -> str:
    if decided is None:
        return "go on"
    return "talk" if decided.is_talk else "act"


def _known_places(turn: Turn) -> list[str]:
    """Return the paths that the agent can go to: known places, and the areas of this one."""
    tree, name = turn.constants.world.tree, turn.identity.name
    here = tree.place_of(turn.area) if turn.area else ""
    places = [place.path for place in known_places(tree, turn.known, person=name)]
    areas = known_areas(tree, turn.known, place=here, person=name) if here else ()
    return list(dict.fromkeys([*places, *(area.path for area in areas)]))
