"""React: decide whether what an agent perceives changes what it does (X1, X2)."""

from collections.abc import Iterator, Sequence

from apps.agents.events import ActionKind, ObjectRighted
from apps.agents.sharing import SetState
from apps.agents.summary import AgentSummary
from apps.kernel.language import phrase
from apps.memory.events import MemoryOrigin, RetrievalPurpose
from apps.memory.focus import Focus, news
from apps.memory.items import MemoryItem, without_outlined
from apps.memory.rules import REPAIR_IMPORTANCE, RESCUE_IMPORTANCE
from apps.planning.inputs import ReactionReason
from apps.planning.revision import ImmediateActivity
from apps.planning.surroundings import known_areas, known_places
from apps.reaction.events import ReactionDecided
from apps.reaction.inputs import DecisionInput, Obstacle, Prevented, agent_in
from apps.reaction.llm_tasks import Reaction, decide_reaction, observation_text
from apps.simulation.turn.context.outcome import RevisePlan, SpeakTo, Turn
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.conversation.part import break_off
from apps.simulation.turn.decide.company import listeners
from apps.simulation.turn.decide.reaction_candidates import (
    ReactionCandidate,
    is_alarming,
    new_candidates,
    object_candidate,
    undecided_subjects,
)
from apps.simulation.turn.perceive.relationships import (
    coming_actions,
    day_outline,
    lately_ended,
    open_agreements,
    own_place,
    relationship_query,
    retrieve_relationship,
    status_of,
)
from apps.simulation.turn.perform.hindrance import (
    decided_about,
    ends_with_use,
    known_hindrance,
)
from apps.simulation.turn.remember.fact_changes import with_summary
from apps.simulation.turn.remember.remember import news_query
from apps.world.tree import NodeKind

# The memories of all observations of one decision share the budget of a prompt.
SHARES_OF_BUDGET = 7
# An agent has a plan if an hour within so many hours is planned.
PLANNED_HOURS = 3


def restore_object(turn: Turn) -> Turn:
    """Restore the state of an object after the agent has acted on it in reaction to it.

    Using the object without having reacted to its state does not restore what a user has set,
    but for what the agent has the key to. What the agent itself has left at the object is gone
    after its next use of the object. That a danger or a hindrance is over is remembered as
    news.
    """
    action = turn.action
    if action is None or not action.object or not turn.is_action_over:
        return turn
    state = state_before_action(turn, action.object)
    if state is None:
        return turn
    has_left = state.set_by == turn.identity.slug
    decided = decided_about(turn, state)
    if not has_left and decided is None and not ends_with_use(turn, state):
        return turn
    restored = ObjectRighted(object=action.object, since=state.event)
    turn = turn.record(restored, cause=action.event)
    return turn if has_left or decided is None else _remember_righted(turn, state)


def _remember_righted(turn: Turn, state: SetState) -> Turn:
    """Remember what the agent has put right, which is told where it was a danger."""
    return turn.with_memory(
        phrase(
            "{name} saw to {object}, which was {state}",
            name=turn.identity.name,
            object=turn.tree.words(state.object),
            state=state.state,
        ),
        cause=turn.last_event,
        subject=turn.identity.slug,
        origin=MemoryOrigin.RIGHTED,
        importance=RESCUE_IMPORTANCE if state.is_alarming else REPAIR_IMPORTANCE,
    )


def state_before_action(context: TurnContext, path: str) -> SetState | None:
    """Return the state of an object that was set before the current action, None without."""
    action, state = context.action, context.view.set_state_of(path)
    if state is None or action is None or state.from_tick >= action.from_tick:
        return None
    return state


def react_to_alarm(turn: Turn) -> Turn:
    """Decide about the new dangers, whatever the agent is doing."""
    objects = [object_candidate(turn, seen) for seen in turn.news if seen.sight.is_object]
    return decide_about(turn, [one for one in objects if is_alarming(one.observed)])


def react(turn: Turn) -> Turn:
    """Decide about what is new and was not decided about lately (X1)."""
    return decide_about(turn, list(new_candidates(turn)))


def react_to_obstacle(turn: Turn) -> Turn:
    """Decide after a wait whether to do something else (X4)."""
    action = turn.action
    if action is None or action.kind is not ActionKind.WAITING or not turn.is_action_over:
        return turn
    refused = turn.records.refused_at(action.from_tick)
    if refused is None:
        return turn
    hindrance = None
    if turn.tree.node(refused.node).kind is NodeKind.OBJECT:
        hindrance = known_hindrance(turn, refused.node)
    # Without the key, an agent cannot end it.
    can_end = hindrance is not None and hindrance.prevents is Prevented.USE
    remedy = hindrance.remedy if hindrance is not None and can_end else ""
    # What the agent meets on its way to use it concerns it more than a sight of it before.
    if not remedy and not undecided_subjects(turn, [refused.node]):
        return turn
    occupants = _seen_using(turn, refused.node)
    obstacle = Obstacle(description=refused.why, occupants=occupants, remedy=remedy)
    candidate = ReactionCandidate(subject=refused.node, observed=obstacle, source="")
    return decide_about(turn, [candidate])


def _seen_using(context: TurnContext, node: str) -> tuple[str, ...]:
    """Return the full names of the agents in view that use the object, nearest first."""
    seen = {other: context.view.action_of(other) for _, other in context.view.agents_in_view()}
    return tuple(
        context.name_of(other)
        for other, action in seen.items()
        if action is not None and action.object == node
    )


def decide_about(turn: Turn, candidates: Sequence[ReactionCandidate]) -> Turn:
    """Decide about the candidates together; the agent goes on, speaks or acts (X1).

    What a user tells the agent is decided about whenever it comes (U6).
    """
    is_alarmed = any(is_alarming(one.observed) for one in candidates)
    if not candidates or not (is_alarmed or _has_plan(turn)):
        return turn  # an agent without a plan makes one first
    turn, summary = with_summary(turn)
    inputs = decision_input(turn, summary, candidates)
    decided = decide_reaction(turn.llm, inputs)
    about = candidates[0 if decided is None else decided.observation]
    weighed = ReactionDecided(
        subjects=tuple(one.subject for one in candidates),
        choice="go on" if decided is None else decided.choice,
        about=about.subject,
        what="" if decided is None else decided.what,
    )
    turn = turn.record(weighed, cause=about.source)
    if decided is None or decided.choice == "later":
        return turn
    cause = turn.last_event
    turn = break_off(turn)
    if decided.choice == "talk":
        return turn.intending(
            SpeakTo(
                other=about.subject,
                besides=() if about.others else listeners(turn, about.subject),
                intent=decided.what,
                cause=cause,
                words=decided.say,
                ends=decided.ends,
                to=next((one for one in about.others if turn.name_of(one) == decided.to), ""),
                memories=tuple(memory.number for memory in inputs.memories),
            )
        )
    return turn.intending(_revision(turn, about, decided, cause))


def _has_plan(context: TurnContext) -> bool:
    """Return whether an hour of the next PLANNED_HOURS is planned."""
    until = context.tick + context.ticks_of(minutes=PLANNED_HOURS * 60)
    return any(hour.from_tick < until for hour in context.records.hours)


def _revision(
    context: TurnContext, about: ReactionCandidate, decided: Reaction, cause: str
) -> RevisePlan:
    """Return the intention to do it at once and revise the rest of the day's plan (X2)."""
    observation = observation_text(about.observed)
    return RevisePlan(
        reasons=(ReactionReason(observation=observation, activity=decided.what),),
        first=ImmediateActivity(
            description=decided.what,
            place=_place(context, about, decided),
            ticks=context.ticks_of(minutes=decided.minutes),
        ),
        cause=cause,
    )


def _place(context: TurnContext, about: ReactionCandidate, decided: Reaction) -> str:
    """Return where it is done: as decided, else by the object, else here.

    What is done instead of waiting is done outside what the agent waits for.
    """
    tree = context.tree
    default = context.area or context.identity.home
    if about.subject in tree and not isinstance(about.observed, Obstacle):
        node = tree.node(about.subject)
        default = tree.area_of(about.subject) if node.path != context.area else context.area
    return decided.place or default


def decision_input(
    turn: Turn, summary: AgentSummary, candidates: Sequence[ReactionCandidate]
) -> DecisionInput:
    """Return the input of the decision about the candidates, with the memories of them."""
    outline = day_outline(turn)
    return DecisionInput(
        agent_name=turn.identity.name,
        summary=summary,
        now=turn.now,
        place=own_place(turn),
        status=status_of(turn, turn.identity.slug),
        observed=tuple(one.observed for one in candidates),
        memories=without_outlined(_memories(turn, candidates), outline),
        known_places=destinations(turn),
        agreements=open_agreements(turn),
        outline=outline,
        performed=turn.deeds_today(),
        coming=coming_actions(turn),
        together=tuple(turn.name_of(one.subject) for one in candidates if one.in_company),
    )


def _memories(
    context: TurnContext, candidates: Sequence[ReactionCandidate]
) -> tuple[MemoryItem, ...]:
    """Return the memories of the observed agents and of what they do (X1), each once.

    Where one of them is free to be addressed, also what the agent has to tell.
    """
    budget = context.settings.retrieval_tokens // SHARES_OF_BUDGET
    purpose = RetrievalPurpose.REACTION
    about = [
        one.agent or one.subject for one in candidates if agent_in(one.observed) is not None
    ]
    queries = [observation_text(one.observed) for one in candidates]
    agents = [agent for one in candidates if (agent := agent_in(one.observed)) is not None]
    may_talk = any(agent.may_talk for agent in agents)
    asked: dict[str, Focus | None] = dict.fromkeys(queries)
    if may_talk:
        asked[news_query(context.identity.name)] = news(_own_news(context))
    context.retrieval.embed([*(relationship_query(context, one) for one in about), *asked])
    found = []
    for other in about:
        found += retrieve_relationship(context, other, purpose, token_budget=budget)
    for query, focus in asked.items():
        found += context.retrieval.retrieve(query, purpose, token_budget=budget, subject=focus)
    ended = lately_ended(context) if may_talk else ()
    return context.items({memory.number: memory for memory in (*found, *ended)}.values())


def _own_news(context: TurnContext) -> Iterator[int]:
    """Yield the memories of what the agent pursues up to an event ahead."""
    for fact in context.records.facts:
        if fact.ends is not None and fact.holds_at(context.now):
            yield from fact.evidence


def destinations(context: TurnContext) -> tuple[str, ...]:
    """Return the paths that the agent can go to: known places, and the areas of this one."""
    tree, agent = context.tree, context.identity
    here = tree.place_of(context.area) if context.area else ""
    whose = {"person": agent.name, "home": agent.home}
    places = [place.path for place in known_places(tree, context.known, **whose)]
    areas = known_areas(tree, context.known, place=here, **whose) if here else ()
    return tuple(dict.fromkeys([*places, *(area.path for area in areas)]))
