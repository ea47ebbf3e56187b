"""A generated world of houses along a street, and agents who walk between them and talk.

Agents are out of one another's view most of the time, so that a schedule may run them far
apart, and meet on the street, where they walk past and out of view of one another.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from apps import wiring
from apps.agents.spoken_words import UTTERANCE_WORDS_MAX
from apps.dialogue.inputs import UtteranceInput
from apps.dialogue.llm_tasks import UTTERANCE
from apps.dialogue.llm_tasks.utterance import Utterance
from apps.eventlog.rebuild import check
from apps.planning.inputs import HourlyPlanInput
from apps.planning.llm_tasks.hourly_plan import HOURLY_PLAN, HourActivity, HourlyPlan
from apps.reaction.inputs import DecisionInput
from apps.reaction.llm_tasks import DECISION, Decision, go_on
from apps.rule_model.model import Chance, TaskRule
from apps.simulation.engine.in_process import RunOptions
from apps.simulation.models import SimulationRow
from apps.world.folders import WorldFolders
from tests.support.builders import speaks
from tests.support.inputs import agents_to_address
from tests.support.towns import (
    EIGHT_THREADS,
    LOCK_STEP,
    ONE_BY_ONE,
    answering,
    found,
    history_of,
    live,
    shared_fixture,
)
from worlds.drawing.__main__ import main as draw_world

STREET = "street"
PEOPLE = ("Ada Finch", "Ben Marsh", "Cem Kaya", "Dora Lind", "Eve Novak")
START = "2024-06-03T05:50"
FIRST_MINUTES = "2024-06-03T06:15"
DISTANCE_BETWEEN_HOUSES = 14
OBJECTS = "{bed: , table: {holds: any}}"
HOUSE = """\
###W###
#b...T#
#.....#
#..1..#
###^###
"""


def write_street(root: Path, *, are_homes: bool = False, sleep: str = "22:00") -> Path:
    """Write the world into a folder of the root; return the root of worlds.

    With `are_homes`, each agent is the resident of its house, and the others have to knock.
    `sleep` is when all of them go to bed.
    """
    plans = root / STREET / "plans"
    plans.mkdir(parents=True)
    width = DISTANCE_BETWEEN_HOUSES * len(PEOPLE)
    (plans / "town.yaml").write_text(f"size: [{width}, 12]\npaths:\n  - [0, 8, {width}, 2]\n")
    places, agents = [], []
    for number, name in enumerate(PEOPLE):
        house, left = f"House {number + 1}", number * DISTANCE_BETWEEN_HOUSES + 2
        (plans / f"house_{number + 1}.yaml").write_text(_plan(house, left))
        resident = f"residents: [{name}], " if are_homes else ""
        places.append(f"  {house}: {{{resident}areas: {{room: {{objects: {OBJECTS}}}}}}}\n")
        agents.append(_person(name, house, sleep))
    world = root / STREET
    (world / "world.yaml").write_text(
        f'name: A street\nstart: "{START}"\nplaces:\n{"".join(places)}'
    )
    (world / "people.yaml").write_text("\n".join(agents))
    draw_world([str(world)])
    return root


def _plan(house: str, left: int) -> str:
    drawn = "".join(f"  {line}\n" for line in HOUSE.splitlines())
    return (
        f"place: {house}\nat: [{left}, 1]\nwalls: timber\nrooms:\n  1: {{area: room}}\n"
        f"things:\n  b: {{object: bed, look: green bed}}\n  T: table\nplan: |\n{drawn}"
    )


def _person(name: str, house: str, sleep: str) -> str:
    known = ", ".join(f"House {number + 1}" for number in range(len(PEOPLE)))
    return (
        f'{name}:\n  age: 40\n  traits: [restless]\n  home: "{house}: room"\n'
        f'  hours: {{wake: "06:00", sleep: "{sleep}"}}\n  knows: [{known}]\n'
        f"  description: {name} visits everybody on the street\n"
    )


def wandering_and_talking(
    *, utterances: int, walks_off: int = 4, words_max: int = UTTERANCE_WORDS_MAX
) -> dict[str, TaskRule]:
    """Return the answers of agents who visit one another, talk on sight and walk off.

    `utterances` bounds a conversation; one in `walks_off` observations makes an agent go to
    another house at once, others make it talk.
    """

    def words_of(chance: Chance) -> str:
        return ("well " * chance.between(1, words_max, "words")).strip()

    def hours(inputs: HourlyPlanInput, chance: Chance) -> HourlyPlan:
        places = [place.path for place in inputs.places]
        return HourlyPlan(
            hours=[
                HourActivity(
                    time=number, activity="visit a friend", place=chance.choice(places, number)
                )
                for number, _slot in enumerate(inputs.slots, start=1)
            ]
        )

    def decide(inputs: DecisionInput, chance: Chance) -> Decision:
        number = 1 + chance.draw("which") % len(inputs.observed)
        if chance.draw("walk off") % walks_off == 0:
            place = chance.choice(inputs.known_places, "where")
            return Decision(
                choice="act", observation=number, what="run an errand", place=place, minutes=20
            )
        if number in dict(agents_to_address(inputs)):
            return speaks(number, "say hello", words_of(chance))
        return go_on(inputs)

    def say(inputs: UtteranceInput, chance: Chance) -> Utterance:
        to = chance.choice(("", *inputs.besides), "to")
        ends = len(inputs.lines) + 1 >= utterances
        return Utterance(utterance=words_of(chance), ends=ends, to=to)

    return {HOURLY_PLAN.name: hours, DECISION.name: decide, UTTERANCE.name: say}


def crowding_and_talking(*, utterances: int = 3) -> dict[str, TaskRule]:
    """Return the answers of agents who spend the day in one room and speak to the same one.

    What one of them begins is news to all others in the same tick, so that several agents
    speak to one in the same tick, in as many words.
    """

    def hours(inputs: HourlyPlanInput, chance: Chance) -> HourlyPlan:
        return HourlyPlan(
            hours=[
                HourActivity(time=number, activity="visit Ada Finch", place="House 1")
                for number, _slot in enumerate(inputs.slots, start=1)
            ]
        )

    def decide(inputs: DecisionInput, chance: Chance) -> Decision:
        free = [(agent.name, number) for number, agent in agents_to_address(inputs)]
        if not free:
            return go_on(inputs)
        return speaks(min(free)[1], "say hello", f"it is {inputs.agent_name} who says hello")

    def say(inputs: UtteranceInput, chance: Chance) -> Utterance:
        words = f"it is {inputs.agent_name} who says hello"
        to = chance.choice(("", *inputs.besides), "to")
        return Utterance(utterance=words, ends=len(inputs.lines) + 1 >= utterances, to=to)

    return {HOURLY_PLAN.name: hours, DECISION.name: decide, UTTERANCE.name: say}


def simulate_crowd(
    folder: Path,
    rules: Mapping[str, TaskRule],
    manner: RunOptions = ONE_BY_ONE,
    *,
    utterances: int = 3,
    until: str = FIRST_MINUTES,
    **settings: int,
) -> SimulationRow:
    """Simulate the first minutes of a day in one room, with some answers by other rules."""
    root = replace(wiring.ports(), worlds=WorldFolders(write_street(folder)))
    ports = answering({**crowding_and_talking(utterances=utterances), **rules}, ports=root)
    row = found(seed=3, agents=PEOPLE, world=STREET, ports=ports, settings=settings)
    return live(row, until, manner, ports=ports)


def crowd_fixture(simulate: Callable[[Path], SimulationRow]) -> Any:
    """Return the fixture of a module that gives a simulation of a crowd (`shared_fixture`).

    `simulate` takes the folder of the world.
    """

    def in_new_folder() -> SimulationRow:
        with TemporaryDirectory() as folder:
            return simulate(Path(folder))

    return shared_fixture(in_new_folder)


def require_one_history(
    folder: Path, simulate: Callable[[Path, RunOptions], SimulationRow]
) -> None:
    """Require the same history, whose rows can be rebuilt, in lock step and on threads."""
    histories = set()
    for number, manner in enumerate((LOCK_STEP, EIGHT_THREADS)):
        row = simulate(folder / str(number), manner)
        histories.add(history_of(row.pk))
        assert check(wiring.event_store(), row.pk).problems == ()
    assert len(histories) == 1
