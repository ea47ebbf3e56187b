"""How a person comes to be in a town: asleep at its founding, or arriving later (U5)."""

from apps.agents.events import ActionBegan, ActionKind, AgentJoined, Tile
from apps.agents.identity import Hours
from apps.eventlog.store import NewEvent
from apps.kernel.game_time import GameCalendar
from apps.planning.rules import next_waking
from apps.world.people import Person
from apps.world.world import World

SLEEPING = "sleeping"
SLEEP_EMOJI = "😴"
SLEEPERS_BED = "occupied by a sleeper"
ARRIVING = "arriving in town"
ARRIVAL_EMOJI = "🧳"


def asleep_at_home(world: World, person: Person, calendar: GameCalendar) -> list[NewEvent]:
    """Return what lets a person be at tick 0: in bed until their first waking hour."""
    tile = world.map.use_tiles(person.bed)[0]
    hours = Hours(wake=person.hours.wake, sleep=person.hours.sleep, dinner=person.hours.dinner)
    asleep = ActionBegan(
        kind=ActionKind.SLEEPING,
        description=SLEEPING,
        emoji=SLEEP_EMOJI,
        tile=tile,
        area=world.map.area_at(tile),
        object=person.bed,
        object_state=SLEEPERS_BED,
        asleep=True,
        # Tick 0 is the founding: nobody can wake in it.
        until_tick=max(1, next_waking(hours, calendar, 0)),
        plan_item=0,
    )
    return [NewEvent(event=_joined(person, tile)), NewEvent(event=asleep)]


def arriving(world: World, person: Person, *, tick: int, cause: str) -> list[NewEvent]:
    """Return what lets a person be from a later tick on: at home, with the day to plan."""
    tile = world.map.standing_tiles(person.home)[0]
    arrives = ActionBegan(
        description=ARRIVING,
        emoji=ARRIVAL_EMOJI,
        tile=tile,
        area=world.map.area_at(tile),
        object="",
        object_state="",
        asleep=False,
        until_tick=tick + 1,
        plan_item=0,
    )
    return [
        NewEvent(event=_joined(person, tile), cause=cause),
        NewEvent(event=arrives, cause=cause),
    ]


def _joined(person: Person, tile: Tile) -> AgentJoined:
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
