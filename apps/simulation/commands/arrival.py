"""The first events of an agent: asleep at home at tick 0, or arriving later (U4, U5)."""

from collections.abc import Sequence

from apps.agents.events import ActionBegan, ActionKind, AgentJoined, AgentReturned, Tile
from apps.agents.summary import Hours
from apps.eventlog.store import NewEvent
from apps.kernel.game_time import GameCalendar
from apps.kernel.language import noted, phrase
from apps.planning.rules import next_waking
from apps.simulation.commands.command import Processing
from apps.simulation.models import ClockRow
from apps.world.world import Person, World

SLEEPING = noted("sleeping")
SLEEP_EMOJI = "😴"
SLEEPERS_BED = noted("occupied by a sleeper")
ARRIVING = noted("arriving in town")
ARRIVAL_EMOJI = "🧳"


def asleep_at_home(world: World, person: Person, calendar: GameCalendar) -> list[NewEvent]:
    """Return the events of an agent at tick 0: in bed until its first waking hour."""
    tile = world.map.use_tiles(person.bed)[0]
    hours = Hours(wake=person.hours.wake, sleep=person.hours.sleep, dinner=person.hours.dinner)
    asleep = ActionBegan(
        kind=ActionKind.SLEEPING,
        description=phrase(SLEEPING),
        emoji=SLEEP_EMOJI,
        tile=tile,
        area=world.map.area_at(tile),
        object=person.bed,
        object_state=phrase(SLEEPERS_BED),
        asleep=True,
        # No turn is taken at tick 0: no agent can wake in it.
        until_tick=max(1, next_waking(hours, calendar, 0)),
        plan_item=0,
    )
    return [NewEvent(event=joined(person, tile)), NewEvent(event=asleep)]


def join(processing: Processing, slug: str, tick: int, events: Sequence[NewEvent]) -> None:
    """Append the events of an agent that joins at the tick, and create its clock."""
    simulation_id = processing.constants.simulation_id
    processing.ports.store.append(
        simulation_id=simulation_id, tick=tick, stream=slug, events=events
    )
    ClockRow.objects.update_or_create(
        simulation_id=simulation_id, agent=slug, defaults={"clock": tick + 1}
    )


def arriving(
    world: World, joins: AgentJoined | AgentReturned, tile: Tile, *, tick: int, cause: str
) -> list[NewEvent]:
    """Return the events of an agent that joins later, on the tile: awake, without a plan."""
    arrives = ActionBegan(
        description=phrase(ARRIVING),
        emoji=ARRIVAL_EMOJI,
        tile=tile,
        area=world.map.area_at(tile),
        object="",
        object_state="",
        asleep=False,
        until_tick=tick + 1,
        plan_item=0,
    )
    return [NewEvent(event=joins, cause=cause), NewEvent(event=arrives, cause=cause)]


def joined(person: Person, tile: Tile) -> AgentJoined:
    """Return the event of an agent that joins on the tile."""
    return AgentJoined(
        name=person.name,
        age=person.age,
        traits=person.traits,
        wake_minute=person.hours.wake,
        sleep_minute=person.hours.sleep,
        dinner_minute=person.hours.dinner,
        home=person.home,
        bed=person.bed,
        workplace=person.workplace,
        description=person.description,
        tile=tile,
        knows=person.knows,
    )
