"""What the states of objects prevent, as an agent that met them knows it (U3, W5)."""

from apps.agents.sharing import SetState
from apps.reaction.events import ReactionDecided, StateJudged
from apps.reaction.inputs import Prevented, StateInput
from apps.reaction.judged_states import judge_state
from apps.simulation.turn.context.outcome import PlannedStep, Turn
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.remember.activities import activity_of
from apps.world.norms import keepers_of, lives_in


def hindered_by(turn: Turn, step: PlannedStep) -> tuple[Turn, StateJudged | None]:
    """Return what keeps the agent from using the object of the step, None for nothing.

    A state that is new to the agent is judged by the model. What an agent has left at an object
    lies beside it. A step of what the agent has decided to do about the state is not hindered,
    nor what a user requests.
    """
    state = turn.view.set_state_of(step.object)
    if state is None or state.is_left or step.is_requested:
        return turn, None
    if decided_about(turn, state) == (activity_of(turn, step.hour) or None):
        return turn, None
    judgement = judgement_of(turn, step.object, state.state)
    if judgement is None:
        node = turn.tree.node(step.object)
        place = turn.tree.words(turn.tree.area_of(step.object))
        inputs = StateInput(name=node.name, state=state.state, place=place)
        judgement = judge_state(turn.llm, step.object, inputs)
        turn = turn.record(judgement, cause=state.event)
    return turn, judgement if _prevents_use(turn, step.object, judgement) else None


def judgement_of(context: TurnContext, path: str, state: str) -> StateJudged | None:
    """Return what the agent has judged of the state at an object of that name, None if not."""
    name = context.tree.node(path).name
    return next(
        (
            one
            for one in context.records.judged
            if one.state == state
            and one.object in context.tree
            and context.tree.node(one.object).name == name
        ),
        None,
    )


def known_hindrance(context: TurnContext, path: str) -> StateJudged | None:
    """Return what keeps the agent from using an object, as it last saw it today."""
    new = [one.sight.description for one in context.news if one.sight.subject == path]
    seen = context.acquainted.objects.get(path)
    if not new and (
        seen is None
        or context.plan_day_of(seen.tick) != context.plan_day_of(context.tick)
        or not seen.description
    ):
        return None
    state = new[0] if new or seen is None else seen.description
    judgement = judgement_of(context, path, state)
    if judgement is None or not _prevents_use(context, path, judgement):
        return None
    return judgement


def barred_objects(turn: Turn, activity: str = "") -> frozenset[str]:
    """Return the objects that the agent knows to be of no use, and does not try to use today.

    They are those that it met in a state that prevents its use and has not seen otherwise
    since, but for that of the activity, which sees to it.
    """
    met = {one.object for one in turn.records.judged if one.object in turn.tree}
    return frozenset(
        path
        for path in met
        if known_hindrance(turn, path) is not None
        and not (activity and _acted_on(turn, path) == activity)
    )


def ends_with_use(context: TurnContext, state: SetState) -> bool:
    """Return whether the agent, by using the object, ends the state: it has the key."""
    judgement = judgement_of(context, state.object, state.state)
    return (
        judgement is not None
        and judgement.prevents is Prevented.USE_BY_OTHERS
        and not judgement.ends_by_itself
        and not _prevents_use(context, state.object, judgement)
    )


def decided_about(turn: Turn, state: SetState) -> str | None:
    """Return what the agent has decided to do about the state, None without a decision."""
    decided = turn.records.acted_on.get(state.object)
    if decided is not None and decided.tick >= state.from_tick:
        return decided.what
    return _decided_now(turn, state.object)


def _acted_on(turn: Turn, path: str) -> str | None:
    decided = turn.records.acted_on.get(path)
    return _decided_now(turn, path) or (None if decided is None else decided.what)


def _decided_now(turn: Turn, path: str) -> str | None:
    decided = (new.event for new in turn.events if isinstance(new.event, ReactionDecided))
    return next(
        (one.what for one in decided if one.about == path and one.choice == "act"), None
    )


def _prevents_use(context: TurnContext, path: str, judgement: StateJudged) -> bool:
    if judgement.prevents is Prevented.USE:
        return True
    tree, agent = context.tree, context.identity
    place = tree.place_of(path)
    has_key = agent.name in keepers_of(tree, path) or lives_in(
        tree, place, name=agent.name, home=agent.home
    )
    return judgement.prevents is Prevented.USE_BY_OTHERS and not has_key
