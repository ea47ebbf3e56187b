"""The command `visit`: a visitor joins, without home or plan, and a user controls it (U4)."""

from typing import Annotated
from uuid import UUID

from django.db import transaction
from pydantic import Field

from apps.agents.events import AgentReturned, Tile
from apps.agents.models import AgentRow
from apps.eventlog.store import last_ticks
from apps.kernel.chance import choice
from apps.kernel.errors import DomainError
from apps.kernel.names import NAME_CHARACTERS_MAX
from apps.kernel.request_models import RequestModel
from apps.simulation.commands.agent_models import ModelOfAgent, give_model, models_with
from apps.simulation.commands.agents import (
    NameTaken,
    arriving,
    ensure_unrequested,
    ensure_unused,
    join,
    joined,
)
from apps.simulation.commands.command import CommandBody, Processing, next_unshared_tick
from apps.simulation.commands.command_log import Issuer, accept, issued, record_command
from apps.simulation.commands.embodied_action import standing_area
from apps.simulation.commands.embodiments import VISIT, ensure_paced, next_number
from apps.simulation.embodiment.events import EmbodimentBegan
from apps.simulation.locks import lock_simulation_row
from apps.simulation.models import CommandRow
from apps.simulation.ports import Constants, Ports, constants_of
from apps.world.norms import is_home
from apps.world.people_loading import ensure_visitor_fits
from apps.world.shapes import Age, Description, Traits
from apps.world.tile_map import chebyshev
from apps.world.tree import NodeKind
from apps.world.world import Person, PersonHours, World

VISITOR_AGE = 30  # of a visitor whose age is not given
VISITOR_HOURS = PersonHours(wake=7 * 60, sleep=23 * 60)


class NoPlaceToAppear(DomainError):
    """A visitor cannot appear in the place, or not at this time."""


class Visitor(RequestModel):
    """A visitor; each phrase of the description becomes a memory."""

    name: Annotated[str, Field(max_length=NAME_CHARACTERS_MAX)]
    """Letters, single spaces, hyphens and apostrophes. The name of an earlier visit means the
    same visitor."""
    description: Annotated[Description, Field(min_length=0)] = ""
    """Phrases between semicolons; each becomes one of the first memories."""
    age: Age = VISITOR_AGE
    """In years."""
    traits: Annotated[Traits, Field(strict=False)] = ()
    """Innate traits, a word or two each."""
    model: ModelOfAgent = None
    """The chat model of its own: `server:model`, `server` or `offline`."""


class VisitBody(CommandBody, Visitor):
    """A visitor, the number of its embodiment, and the area to appear in; "" is outdoors."""

    embodiment: int
    area: Annotated[str, Field(min_length=0)]


def request_visit(
    ports: Ports, simulation_id: UUID, visitor: Visitor, *, place: str = "", issuer: Issuer
) -> CommandRow:
    """Request a visitor to join, under the control of the user.

    Under the name of a visitor that has left, that visitor returns, with its first description.

    :param place: any unambiguous name of a place or an area; "" is outdoors.
    :raises NewcomerUnfit: if the name is no name.
    :raises NameTaken: if a resident, or a visitor that is present or about to come, has it.
    :raises UnknownPlace: if no place has the name given.
    :raises AmbiguousPlace: if several have.
    :raises NoPlaceToAppear: if no visitor can appear there.
    :raises NeedsPace: if the simulation runs as fast as possible.
    :raises TickPast: if the requested tick is past.
    :raises DomainError: for a model that cannot be used, see `models_with`.
    """
    constants = constants_of(simulation_id, ports.worlds)
    world = constants.world
    slug = ensure_visitor_fits(
        visitor.name,
        age=visitor.age,
        traits=visitor.traits,
        description=visitor.description,
    )
    area = _resolve_area(world, place)
    if visitor.model is not None:
        models_with(ports, simulation_id, slug, visitor.model, seed=constants.seed)
    with transaction.atomic():
        ensure_paced(lock_simulation_row(simulation_id))
        ensure_unrequested(simulation_id, slug)
        _returning_visitor(simulation_id, slug)
        number = next_number(simulation_id)
        body = VisitBody(**visitor.model_dump(), embodiment=number, area=area)
        return record_command(simulation_id, VISIT, slug, body, issuer)


def process(processing: Processing, command: CommandRow, body: VisitBody) -> None:
    """Let the visitor join at the next tick that no agent has committed.

    :raises NameTaken: if another agent has taken the name since.
    :raises NoPlaceToAppear: if the area is closed to the visitor at the tick.
    """
    constants, slug = processing.constants, command.agent
    tick = next_unshared_tick(processing.schedule, command.simulation_id)
    returning = _returning_visitor(command.simulation_id, slug)
    if returning is not None:
        tick = max(tick, last_ticks(command.simulation_id, [slug])[slug] + 1)
    tile = _tile_of(constants, body, slug, tick)
    if body.model is not None:
        give_model(
            processing.ports, command.simulation_id, slug, body.model, seed=constants.seed
        )
    began = EmbodimentBegan(embodiment=body.embodiment, is_visitor=True, **issued(command))
    cause = accept(processing.ports, command, tick, began)
    joins = AgentReturned(tile=tile) if returning else joined(_person_of(body, slug), tile)
    events = arriving(constants.world, joins, tile, tick=tick, cause=cause)
    join(processing, slug, tick, events)
    processing.schedule.add_agent(slug)
    processing.schedule.reload_embodiments()


def _returning_visitor(simulation_id: UUID, slug: str) -> AgentRow | None:
    """Return the visitor of the slug that has left, None if the slug is unused.

    :raises NameTaken: if the slug is that of a resident, or of a visitor that is present.
    """
    row = AgentRow.objects.filter(simulation_id=simulation_id, agent=slug).first()
    if row is not None and row.home:
        ensure_unused(simulation_id, slug)
    if row is not None and row.left_tick is None:
        raise NameTaken(
            f"{slug!r} is visiting; wait until that visit has ended, or give another name"
        )
    return row


def _resolve_area(world: World, place: str) -> str:
    """Return the path of the area to appear in, "" for outdoors."""
    if not place:
        return ""
    node = world.tree.resolve(place)
    area = standing_area(world, node)
    if area.kind is not NodeKind.AREA:
        raise NoPlaceToAppear(f"no visitor can appear in {node.path}; name an area, or a place")
    home = world.tree.place_of(area.path)
    if is_home(world.tree, home):
        raise NoPlaceToAppear(f"{home} is a home; appear outside, walk there and knock")
    if area.norms.holds is not None:
        raise NoPlaceToAppear(f"{area.path} has a limited capacity; appear outside and walk in")
    return area.path


def _tile_of(constants: Constants, body: VisitBody, slug: str, tick: int) -> Tile:
    """Return the tile to appear on.

    :raises NoPlaceToAppear: if the area is closed to the visitor at the tick.
    """
    world = constants.world
    if not body.area:
        return _tile_outdoors(world)
    closed = constants.is_closed_to(body.name, body.area, tick)
    if closed is not None:
        raise NoPlaceToAppear(f"{closed}; appear outdoors, or visit when it is open")
    return choice(world.map.standing_tiles(body.area), constants.seed, "appears", slug, tick)


def _tile_outdoors(world: World) -> Tile:
    """Return the tile outdoors that is nearest to the middle of the map."""
    middle = world.map.width // 2, world.map.height // 2
    tiles = [
        (x, y)
        for y in range(world.map.height)
        for x in range(world.map.width)
        if world.map.is_walkable((x, y)) and not world.map.area_at((x, y))
    ]
    if not tiles:
        raise NoPlaceToAppear("the map has no tiles outdoors; name a place to appear in")
    return min(tiles, key=lambda tile: (chebyshev(tile, middle), tile))


def _person_of(visitor: Visitor, slug: str) -> Person:
    """Return the visitor as an agent without home, bed and workplace."""
    return Person(
        name=visitor.name,
        slug=slug,
        age=visitor.age,
        traits=visitor.traits,
        description=visitor.description,
        home="",
        bed="",
        workplace=None,
        hours=VISITOR_HOURS,
        knows=(),
    )
