"""Smallville with four students of one dorm who wake at one minute and know one bathroom."""

import re
import shutil
from dataclasses import replace
from pathlib import Path

from django.conf import settings

from apps import wiring
from apps.simulation.models import SimulationRow
from apps.simulation.ports import Ports
from apps.world.folders import WorldFolders
from tests.support.towns import found

BATHROOM = "Oak Hill College Dorm: men's bathroom"

STUDENT = """
{name}:
  age: 20
  traits: [diligent, kind]
  hours: {{wake: "07:00", sleep: "23:00", dinner: "18:00"}}
  home: "Oak Hill College Dorm: {name}'s room"
  bed: "Oak Hill College Dorm: {name}'s room: bed"
  workplace: "Oak Hill College"
  knows: ["Oak Hill College Dorm: kitchen", "Oak Hill College Dorm: men's bathroom", Hobbs Cafe]
  description: >-
    {name} studies history at Oak Hill College;
    {name} has breakfast in the kitchen of the dorm around 8:00 am;
    {name} has dinner at Hobbs Cafe around 6:30 pm
"""
STUDENTS = {
    "Klaus Mueller": "Ada Green",
    "Maria Lopez": "Bob Hill",
    "Ayesha Khan": "Cid Moss",
    "Wolfgang Schulz": "Dan Wood",
}
FIVE = ("Isabella Rodriguez", *STUDENTS.values())


def crowded_dorm(folder_of_worlds: Path) -> Ports:
    """Return ports onto that town, its world written into the folder."""
    folder = folder_of_worlds / "crowded"
    shutil.copytree(Path(settings.SHIPPED_WORLDS) / "smallville", folder)
    for name in ("map.json", "world.yaml"):
        text = (folder / name).read_text()
        for before, now in STUDENTS.items():
            text = text.replace(before, now)
        (folder / name).write_text(text)
    agents = folder / "people.yaml"
    # Who lives in the dorm gives way; the others stay what they are, but are not called.
    others = re.split(r"\n(?=\w[\w ]+:\n)", agents.read_text())
    stay = [person for person in others if not person.startswith(tuple(STUDENTS))]
    students = [STUDENT.format(name=name) for name in STUDENTS.values()]
    agents.write_text("\n".join([*stay, *students]))
    return replace(wiring.ports(), worlds=WorldFolders(folder_of_worlds))


def found_crowded(dorm: Ports) -> SimulationRow:
    """Found the town with the four students and Isabella, who keeps the cafe."""
    return found(agents=FIVE, world="crowded", ports=dorm)
