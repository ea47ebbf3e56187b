"""Action requests of users in a turn: their steps, spots and answers (U4)."""

from apps.agents.acts import Act, ActKind
from apps.agents.events import ActionKind
from apps.kernel.chance import choice
from apps.kernel.game_time import FOREVER_TICK
from apps.kernel.language import noted, phrase
from apps.simulation.embodiment.events import ActionRequestAnswered
from apps.simulation.embodiment.requested_actions import Move, Use, WithAgent
from apps.simulation.embodiment.rules import ActionRequest, Outcome
from apps.simulation.turn.context.outcome import PlannedStep, TurnOutcome, record
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.perceive.situation import name_known
from apps.simulation.turn.perform.stay import EMOJI_OF_KINDS, LOOKING_AROUND
from apps.world.tile_map import Tile

USE_EMOJI, USE_STATE = "✋", noted("in use")
_DOING = {
    ActKind.LOOK_FOR: noted("looking for {whom}"),
    ActKind.WAIT_FOR: noted("waiting for {whom}"),
    ActKind.FOLLOW: noted("following {whom}"),
    ActKind.GIVE: noted("giving{thing} to {whom}"),
    ActKind.LEAVE: noted("leaving{thing}"),
}


def step_of_request(context: TurnContext, request: ActionRequest) -> PlannedStep:
    """Return the request as a step that begins now."""
    world = context.constants.world
    match request.action:
        case WithAgent() as act:
            return _step_of_act(context, request, act)
        case Use() as use:
            used, doing = use.object, use.doing
            area = world.tree.area_of(used)
            until = context.tick + context.ticks_of(minutes=use.minutes)
            emoji, state = use.emoji or USE_EMOJI, use.state or phrase(USE_STATE)
        case Move() as walk:
            area = world.map.area_at(spot_of(context, request, walk))
            doing, used, until = phrase(LOOKING_AROUND), "", FOREVER_TICK
            emoji, state = EMOJI_OF_KINDS[ActionKind.IDLE], ""
        case other:
            raise TypeError(f"{other} is no step of its own")
    return PlannedStep(
        kind=ActionKind.USER_CONTROLLED,
        description=doing,
        emoji=emoji,
        area=area,
        object=used,
        object_state=state,
        from_tick=context.tick,
        to_tick=until,
    )


def _step_of_act(context: TurnContext, request: ActionRequest, act: WithAgent) -> PlannedStep:
    """Return the requested act as a step of the ticks from its request on."""
    whom = name_known(context, act.other)
    thing = f" {act.thing}" if act.thing else ""
    area = context.constants.world.tree.area_of(act.object) if act.object else context.area
    # A wait is as long as requested; a thing is left when the agent is there.
    begins = context.tick if act.kind.leaves_thing else request.tick
    return PlannedStep(
        kind=ActionKind.USER_CONTROLLED,
        description=phrase(_DOING[act.kind], whom=whom, thing=thing),
        emoji=USE_EMOJI,
        area=area,
        object=act.object,
        object_state=act.state,
        from_tick=request.tick,
        to_tick=begins + context.ticks_of(minutes=act.minutes),
        act=Act(kind=act.kind, other=act.other, about=act.thing),
    )


def spot_of(context: TurnContext, request: ActionRequest, walk: Move) -> Tile:
    """Return the tile that a walk leads to; the same until it is reached."""
    if walk.tile is not None:
        return walk.tile
    tile_map = context.constants.world.map
    if context.tile in tile_map.standing_tiles(walk.to):
        return context.tile
    spots = tile_map.spots(walk.to)
    return choice(spots, context.constants.seed, "spot", context.identity.slug, request.event)


def is_using(context: TurnContext, request: ActionRequest) -> bool:
    """Return whether the agent uses the object of the request."""
    action = context.action
    return (
        isinstance(request.action, Use)
        and action is not None
        and not action.towards
        and action.object == request.action.object
    )


def answer_request(
    context: TurnContext, outcome: TurnOutcome, request: ActionRequest, request_outcome: Outcome
) -> TurnOutcome:
    """Record the outcome of a request that was begun or done."""
    answered = ActionRequestAnswered(
        call=request.event, outcome=request_outcome.value, code="", why=""
    )
    return record(context, outcome, answered, cause=request.event)


def refuse_request(
    context: TurnContext, outcome: TurnOutcome, request: ActionRequest, code: str, why: str
) -> TurnOutcome:
    """Record that a request is refused, with the error code and the reason."""
    answered = ActionRequestAnswered(
        call=request.event, outcome=Outcome.REFUSED.value, code=code, why=why
    )
    return record(context, outcome, answered, cause=request.event)
