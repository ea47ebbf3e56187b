"""Days of the rule-based model, planned from world files without a database."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cache
from itertools import pairwise
from pathlib import Path

from apps.agents.status import Agreement, Deed
from apps.agents.summary import AgentSummary
from apps.memory.events import MemoryKind, MemoryOrigin
from apps.memory.items import MemoryItem
from apps.planning.inputs import (
    DayOutlineInput,
    HourActionsInput,
    HourlyPlanInput,
    HourSlot,
    Surroundings,
    Yesterday,
)
from apps.planning.llm_tasks.day_outline import OutlineChunk
from apps.planning.llm_tasks.hour_actions import NO_OBJECT, HourAction, times_of
from apps.planning.surroundings import AreaOption, PlaceOption, known_areas, known_places
from apps.rule_model.content import Content, load_content
from apps.rule_model.model import Chance
from apps.rule_model.tasks import task_rules
from apps.world.people_loading import load_people
from apps.world.problems import Findings
from apps.world.reading import build_tree, read_yaml
from apps.world.shapes import people_shape, world_shape
from apps.world.tree import WorldTree
from apps.world.world import Person

ROOT = Path(__file__).parents[3]
SMALLVILLE = ROOT / "worlds" / "smallville"
SAINT_BRANNOC = Path(__file__).parent / "saint_brannoc"
HOUR = 60
DAY = 1_440


@dataclass(frozen=True, slots=True)
class Setting:
    """A world without its map."""

    tree: WorldTree
    agents: dict[str, Person]
    first_day: date


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """An action of a planned day; minutes count from the midnight of the day."""

    description: str
    from_minute: int
    to_minute: int
    place: str
    area: str
    object: str
    emoji: str
    object_state: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedDay:
    """What the rules plan for an agent's day."""

    chunks: tuple[HourSlot, ...]
    hours: tuple[HourSlot, ...]
    actions: tuple[Done, ...]

    def at(self, minute: int) -> Done:
        """Return what is done at the minute."""
        return next(one for one in self.actions if one.from_minute <= minute < one.to_minute)


@cache
def content() -> Content:
    return load_content((ROOT / "worlds" / "smallville",))


@cache
def setting(folder: Path) -> Setting:
    findings = [Findings(name) for name in ("world.yaml", "people.yaml")]
    world = world_shape(read_yaml(folder, findings[0]), findings[0])
    agents = people_shape(read_yaml(folder, findings[1]), findings[1])
    assert world is not None, findings[0].problems
    assert agents is not None, findings[1].problems
    tree = build_tree(world, findings[0])
    found = {person.name: person for person in load_people(agents, tree, findings[1])}
    assert not [problem for finding in findings for problem in finding.problems]
    return Setting(tree, found, world.start.date())


def memory(
    text: str,
    number: int = 1,
    *,
    origin: MemoryOrigin = MemoryOrigin.DESCRIPTION,
    kind: MemoryKind = MemoryKind.OBSERVATION,
    formed_at: datetime = datetime(2023, 2, 13),
    **facts: object,
) -> MemoryItem:
    return MemoryItem(
        number=number,
        kind=kind,
        origin=origin,
        description=text,
        importance=3,
        formed_at=formed_at,
        **facts,  # type: ignore[arg-type]
    )


def seeds(person: Person, on: date) -> tuple[MemoryItem, ...]:
    """Return the phrases of the description as memories."""
    formed = datetime.combine(on, time())
    return tuple(
        memory(phrase, number, formed_at=formed)
        for number, phrase in enumerate(person.seeds, start=1)
    )


def summary_of(person: Person) -> AgentSummary:
    return AgentSummary(name=person.name, age=person.age, traits=person.traits)


def chance(task: str, what: str, seed: int = 7) -> Chance:
    return Chance(seed, f"planning.{task}", what)


def outline_input(
    folder: Path,
    name: str,
    *,
    day: int = 0,
    memories: Iterable[MemoryItem] = (),
    agreements: tuple[Agreement, ...] = (),
    yesterday: Yesterday | None = None,
    now_minute: int | None = None,
) -> DayOutlineInput:
    at = setting(folder)
    person = at.agents[name]
    today = at.first_day + timedelta(days=day)
    hours = person.hours
    return DayOutlineInput(
        agent_name=name,
        summary=summary_of(person),
        yesterday=yesterday,
        memories=(*seeds(person, at.first_day), *memories),
        agreements=agreements,
        date=today,
        wake_minute=hours.wake,
        now_minute=hours.wake if now_minute is None else now_minute,
        bed_minute=hours.sleep,
        dinner_minute=hours.dinner,
        home=at.tree.place_of(person.home),
        workplace=person.workplace or "",
        places=known_places(at.tree, frozenset(person.knows), person=name),
        chunks_min=4,
        chunks_max=7,
    )


def plan_day(folder: Path, name: str, *, seed: int = 7, **inputs: object) -> PlannedDay:
    """Return the day as the rules plan it, tiled as the planning app does."""
    outline = outline_input(folder, name, **inputs)  # type: ignore[arg-type]
    key = f"{name}/{outline.date}"
    rules = task_rules(content())
    answer = rules["planning.day_outline"](outline, chance("day_outline", key, seed))
    chunks = _chunks(answer.chunks, outline)
    slots = [piece for chunk in chunks for piece in _hours(chunk)]
    given_hours = HourlyPlanInput(
        agent_name=name,
        summary=outline.summary,
        memories=outline.memories,
        date=outline.date,
        slots=tuple(slots),
        places=outline.places,
    )
    plan = rules["planning.hourly_plan"](given_hours, chance("hourly_plan", key, seed))
    hours = tuple(
        HourSlot(
            from_minute=slot.from_minute,
            to_minute=slot.to_minute,
            activity=hour.activity,
            place=hour.place,
        )
        for slot, hour in zip(slots, plan.hours, strict=True)
    )
    actions: list[Done] = []
    for hour in hours:
        actions += _actions(folder, name, outline, hour, actions, seed)
    return PlannedDay(chunks=tuple(chunks), hours=hours, actions=tuple(actions))


def as_yesterday(planned: PlannedDay, on: date) -> Yesterday:
    midnight = datetime.combine(on, time())
    return Yesterday(
        date=on,
        performed=tuple(
            Deed(
                starts=midnight + timedelta(minutes=chunk.from_minute),
                ends=midnight + timedelta(minutes=chunk.to_minute),
                actions=(chunk.activity,),
                activity=chunk.activity,
                place=chunk.place,
            )
            for chunk in planned.chunks
        ),
        talks=(),
    )


def _chunks(wished: Sequence[OutlineChunk], inputs: DayOutlineInput) -> list[HourSlot]:
    starts = []
    for chunk in wished:
        hour, _, minute = chunk.starts.partition(":")
        at = int(hour) * HOUR + int(minute)
        starts.append(at if at >= inputs.now_minute else at + DAY)
    edges = [inputs.now_minute, *starts[1:], inputs.bed_minute]
    assert edges == sorted(set(edges)), edges
    return [
        HourSlot(from_minute=start, to_minute=end, activity=chunk.activity, place=chunk.place)
        for chunk, (start, end) in zip(wished, pairwise(edges), strict=True)
    ]


def _hours(chunk: HourSlot) -> list[HourSlot]:
    if chunk.to_minute - chunk.from_minute <= 90:
        return [chunk]
    inside = [
        strike
        for strike in range(0, 2 * DAY, HOUR)
        if chunk.from_minute + 30 <= strike <= chunk.to_minute - 30
    ]
    edges = [chunk.from_minute, *inside, chunk.to_minute]
    return [
        HourSlot(from_minute=start, to_minute=end, activity=chunk.activity, place=chunk.place)
        for start, end in pairwise(edges)
    ]


def _actions(
    folder: Path,
    name: str,
    outline: DayOutlineInput,
    hour: HourSlot,
    before: Sequence[Done],
    seed: int,
) -> list[Done]:
    given = _hour_input(folder, name, outline, hour, before)
    key = f"{name}/{outline.date}/{hour.from_minute}"
    answer = task_rules(content())["planning.hour_actions"](
        given, chance("hour_actions", key, seed)
    )
    return [
        Done(
            description=action.description,
            from_minute=start,
            to_minute=end,
            place=hour.place,
            area=_area(given, action).path,
            object=_object(given, action),
            emoji=action.emoji,
            object_state=action.object_state,
        )
        for one in times_of(given, answer.actions)
        for action, start, end in [(answer.actions[one.index], one.start, one.end)]
    ]


def _hour_input(
    folder: Path, name: str, outline: DayOutlineInput, hour: HourSlot, before: Sequence[Done]
) -> HourActionsInput:
    at = setting(folder)
    person = at.agents[name]
    place = at.tree.place_of(hour.place)
    areas = known_areas(at.tree, frozenset(person.knows), place=place, person=name)
    current = before[-1].area if before else person.home
    own = [area.path for area in areas if area.path in (hour.place, person.home, current)]
    return HourActionsInput(
        agent_name=name,
        summary=outline.summary,
        memories=outline.memories,
        date=outline.date,
        previous=before[-1].description if before else "",
        done=(),
        activity=hour.activity,
        place=hour.place,
        next_activity="",
        from_minute=hour.from_minute,
        to_minute=hour.to_minute,
        minutes_min=5,
        minutes_max=15,
        areas=areas,
        default_area=(own or [areas[0].path])[0],
        surroundings=Surroundings(current_area=current),
    )


def _area(given: HourActionsInput, action: HourAction) -> AreaOption:
    area = given.area_of(action.area)
    assert area is not None
    return area


def _object(given: HourActionsInput, action: HourAction) -> str:
    if action.object == NO_OBJECT:
        return ""
    return f"{_area(given, action).path}: {action.object.removeprefix(f'{action.area}: ')}"


def place_named(places: Sequence[PlaceOption], path: str) -> PlaceOption | None:
    return next((place for place in places if place.path == path), None)
