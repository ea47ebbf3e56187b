"""Search for another agent, area by area, and walk there (ADR 32)."""

from dataclasses import replace

from apps.agents.acts import ActOutcome
from apps.agents.events import Tile
from apps.kernel.chance import choice
from apps.simulation.turn.context.outcome import TurnOutcome, WalkTo
from apps.simulation.turn.context.planned_step import PlannedStep
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.perceive.whereabouts import likely_areas, meeting_tile, search_tiles
from apps.simulation.turn.perform.act_reports import cause_of_intention, report_act

AREAS_SEARCHED_MAX = 4


def search(context: TurnContext, outcome: TurnOutcome, step: PlannedStep) -> TurnOutcome:
    """Walk to the next area in which the other agent may be.

    The intention is no walk after the last area: the agent gives up.
    """
    since_tick = step.from_tick if step.is_requested else 0
    searched = context.records.searched_for(step.plan_item, since_tick=since_tick)
    areas = list(dict.fromkeys(likely_areas(context, step)))[:AREAS_SEARCHED_MAX]
    left = [area for area in areas if area not in searched]
    if context.area in left:
        if (spot := _next_search_tile(context, step)) is not None:
            return walk_to_area(context, outcome, step, context.area, spot)
        outcome = report_act(context, outcome, step, ActOutcome.NOT_HERE)
        left.remove(context.area)
    if not left or len(searched) >= AREAS_SEARCHED_MAX:
        return outcome
    return walk_to_area(context, outcome, step, left[0])


def walk_to_area(
    context: TurnContext,
    outcome: TurnOutcome,
    step: PlannedStep,
    area: str,
    spot: Tile | None = None,
) -> TurnOutcome:
    """Walk to the spot, or to any of the area; the intention is no walk if it has none."""
    spots = context.constants.world.map.standing_tiles(area)
    if not spots:
        return outcome
    seed, slug = context.constants.seed, context.identity.slug
    spot = (
        spot
        or meeting_tile(context, area)
        or choice(spots, seed, "spot", slug, step.plan_item, area)
    )
    there = replace(step, area=area, object="", object_state="")
    return outcome.intending(WalkTo(step=there, spot=spot, cause=cause_of_intention(outcome)))


def _next_search_tile(context: TurnContext, step: PlannedStep) -> Tile | None:
    """Return the tile at which the search of the current area goes on, None at its end."""
    tiles = search_tiles(context, context.area)
    own = context.action
    has_walked = own is not None and bool(own.towards) and own.plan_item == step.plan_item
    if not has_walked or context.tile not in tiles:
        return next((tile for tile in tiles if tile != context.tile), None)
    return next(iter(tiles[tiles.index(context.tile) + 1 :]), None)
