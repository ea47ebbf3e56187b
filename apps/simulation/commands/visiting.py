"""Visitors: people without a home or a plan, in town while a user acts for them (U4)."""

from dataclasses import dataclass
from typing import Any, ClassVar
from uuid import UUID

from django.db import transaction

from apps.agents.events import ActionBegan, AgentJoined, AgentReturned, Tile
from apps.agents.models import AgentRow
from apps.eventlog.event import Event
from apps.eventlog.store import NewEvent, last_ticks
from apps.kernel.chance import choice
from apps.kernel.errors import Refusal
from apps.simulation.commands.calling import began
from apps.simulation.commands.command_log import Asking, asked, became, log_command, refuse_past
from apps.simulation.commands.embodying import VISIT, next_number, refuse_unpaced
from apps.simulation.commands.joining import ARRIVAL_EMOJI, ARRIVING
from apps.simulation.commands.residency import NameTaken, refuse_taken
from apps.simulation.locks import hold_row
from apps.simulation.models import ClockRow, CommandRow
from apps.simulation.ports import Constants, Ports, constants_of
from apps.simulation.snapshot.opening_hours import is_closed_to
from apps.world.geometry import chebyshev
from apps.world.newcomers import visitors_slug
from apps.world.tree import Kind
from apps.world.world import World

# What nobody says of a visitor; they neither sleep nor dine of themselves.
AGE = 30
WAKE_MINUTE, SLEEP_MINUTE = 7 * 60, 23 * 60


class NoPlaceToAppear(Refusal):
    """Nobody can come to town there, or not now."""

    code: ClassVar[str] = "no-place-to-appear"


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor:
    """Who visits: `description` becomes memories, phrase by phrase; `place` is in words."""

    name: str
    description: str = ""
    age: int = AGE
    traits: tuple[str, ...] = ()
    place: str = ""


def request_visit(
    ports: Ports, simulation_id: UUID, visitor: Visitor, *, asking: Asking
) -> CommandRow:
    """Ask for a visitor to come to town, whom the user acts for from then on.

    Under the name of a visitor who has left it is they who come back: what they were said to
    be then stays.

    :raises NewcomerUnfit: if nobody can be called so.
    :raises NameTaken: if somebody who lives here, or is in town, has the name.
    :raises UnknownPlace: if no place has the name given.
    :raises NoPlaceToAppear: if one cannot stand there.
    :raises NeedsPace: if the simulation runs as fast as it can.
    :raises TickPast: if the time asked for is past.
    """
    world = constants_of(simulation_id, ports.worlds_root).world
    slug = visitors_slug(visitor.name)
    area = _area(world, visitor.place)
    with transaction.atomic():
        refuse_unpaced(hold_row(simulation_id))
        _refuse_taken(simulation_id, slug)
        refuse_past(simulation_id, asking)
        body = {
            "embodiment": next_number(simulation_id),
            "name": visitor.name,
            "description": visitor.description,
            "age": visitor.age,
            "traits": list(visitor.traits),
            "area": area,
        }
        return asked(simulation_id, VISIT, slug, body, asking)


def accept_visit(ports: Ports, constants: Constants, command: CommandRow, tick: int) -> None:
    """Let the visitor come to town, on the log and in the rows, with a user to act for them.

    :raises NameTaken: if somebody else has the name by now.
    :raises NoPlaceToAppear: if where they were to appear is closed to them.
    """
    slug, body = command.agent, command.body
    here = AgentRow.objects.filter(simulation_id=command.simulation_id, agent=slug).first()
    if here is not None:
        _refuse_resident(command.simulation_id, here)
        tick = max(tick, last_ticks(command.simulation_id, [slug])[slug] + 1)
    tile = _tile(constants, body["area"], slug, tick)
    _refuse_closed(constants, body["name"], body["area"], tick)
    comes: Event = _joined(body, tile) if here is None else AgentReturned(tile=tile)
    arrives = ActionBegan(
        description=ARRIVING,
        emoji=ARRIVAL_EMOJI,
        tile=tile,
        area=constants.world.map.area_at(tile),
        object="",
        object_state="",
        asleep=False,
        until_tick=tick + 1,
        plan_item=0,
    )
    with transaction.atomic():
        event = began(command, is_visitor=True)
        cause = str(log_command(ports, command, tick, event).place)
        ports.store.append(
            simulation_id=command.simulation_id,
            tick=tick,
            stream=slug,
            events=[NewEvent(event=comes, cause=cause), NewEvent(event=arrives, cause=cause)],
        )
        ClockRow.objects.update_or_create(
            simulation_id=command.simulation_id, agent=slug, defaults={"clock": tick + 1}
        )
        became(command, CommandRow.State.DONE, tick)


def _area(world: World, words: str) -> str:
    """Return the path of the area to appear in, "" for the street."""
    if not words:
        return ""
    node = world.tree.resolve(words)
    below = world.tree.children(node.path) if node.kind is Kind.PLACE else (node,)
    area = next((one for one in below if world.map.standing_tiles(one.path)), node)
    if area.kind is not Kind.AREA:
        raise NoPlaceToAppear(f"one cannot appear in {node.path}; name an area, or a place")
    if area.norms.holds is not None:
        raise NoPlaceToAppear(f"{area.path} holds few; appear outside of it and walk in")
    return area.path


def _tile(constants: Constants, area: str, slug: str, tick: int) -> Tile:
    if not area:
        return _middle_of_town(constants.world)
    spots = constants.world.map.standing_tiles(area)
    return choice(spots, constants.seed, "appears", slug, tick)


def _middle_of_town(world: World) -> Tile:
    """Return the tile outdoors that is nearest to the middle of the map."""
    middle = world.map.width // 2, world.map.height // 2
    tiles = [
        (x, y)
        for y in range(world.map.height)
        for x in range(world.map.width)
        if world.map.is_walkable((x, y)) and not world.map.area_at((x, y))
    ]
    if not tiles:
        raise NoPlaceToAppear("this town has no streets; name a place to appear in")
    return min(tiles, key=lambda tile: (chebyshev(tile, middle), tile))


def _refuse_closed(constants: Constants, name: str, area: str, tick: int) -> None:
    closed = is_closed_to(
        constants.world.tree, constants.calendar, person=name, area=area, tick=tick
    )
    if closed is not None:
        raise NoPlaceToAppear(f"{closed}; appear on the street, or come when it is open")


def _refuse_taken(simulation_id: UUID, slug: str) -> None:
    asked_for = CommandRow.objects.filter(
        simulation_id=simulation_id, kind=VISIT, agent=slug, state=CommandRow.State.PENDING
    )
    if asked_for.exists():
        raise NameTaken(f"{slug!r} is about to visit already; give the visitor another name")
    here = AgentRow.objects.filter(simulation_id=simulation_id, agent=slug).first()
    if here is None:
        refuse_taken(simulation_id, slug)  # somebody of that name may be about to come
    else:
        _refuse_resident(simulation_id, here)


def _refuse_resident(simulation_id: UUID, here: AgentRow) -> None:
    """Refuse the name of somebody who has a home here or is in town; a visitor may return."""
    if not here.home and here.left_tick is None:
        raise NameTaken(
            f"{here.agent!r} is visiting; come under that name once that visit has ended, "
            "or give the visitor another name"
        )
    if here.home:
        refuse_taken(simulation_id, here.agent)


def _joined(body: dict[str, Any], tile: Tile) -> AgentJoined:
    return AgentJoined(
        name=body["name"],
        age=body["age"],
        traits=tuple(body["traits"]),
        wake_minute=WAKE_MINUTE,
        sleep_minute=SLEEP_MINUTE,
        dinner_minute=None,
        home="",
        bed="",
        workplace=None,
        description=body["description"],
        tile=tile,
        knows=(),
    )
