"""The frozen memory streams, and the questions with the memories that answer them.

tests/fixtures/retrieval/README.md states what the files hold and how they were judged.
"""

import gzip
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from apps.memory.retrieval import Subject

FOLDER = Path(__file__).resolve().parents[1] / "fixtures" / "retrieval"
STREAMS, QUESTIONS = FOLDER / "streams.jsonl.gz", FOLDER / "questions.yaml"
FIELDS = (
    "agent", "number", "kind", "description", "rating", "rated_tick", "evidence", "subject",
    "perceived", "origin", "scheduled", "action", "activity", "superseded_tick",
    "formed_tick", "ordinal",
)  # fmt: skip
TICK_SECONDS = 10
SECONDS_PER_DAY = 86_400
FIRST_DAY = 13  # of February 2023
HELPS, ANSWERS = 1, 2

Memory = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A query of an agent at a moment, with the grades of the memories that answer it.

    `kind` is relationship, event, fact or news; `as_of_tick` is the tick of the moment;
    `subject` is the agent that it asks about; `grades` are by number, HELPS or ANSWERS.
    """

    id: str
    kind: str
    agent: str
    as_of_tick: int
    purpose: str
    query: str
    subject: Subject | None
    grades: Mapping[int, int]


@cache
def frozen_streams() -> Sequence[Memory]:
    """Return the memories of all frozen streams, by agent and number."""
    lines = gzip.decompress(STREAMS.read_bytes()).decode().splitlines()
    return [json.loads(line) for line in lines]


@cache
def questions() -> Sequence[Question]:
    """Return the questions; repetitions of a judged memory have its grade.

    :raises ValueError: if a judged memory is not in the stream at the moment of the question.
    """
    written = yaml.safe_load(QUESTIONS.read_text("utf-8"))
    names: dict[str, str] = written["names"]
    by_agent: dict[str, dict[int, Memory]] = defaultdict(dict)
    for memory in frozen_streams():
        by_agent[memory["agent"]][memory["number"]] = memory
    return [_question(one, names, by_agent[one["agent"]]) for one in written["questions"]]


@cache
def names_of_all() -> Mapping[str, str]:
    """Return the full names of all agents of the simulation, by slug."""
    names: dict[str, str] = yaml.safe_load(QUESTIONS.read_text("utf-8"))["names"]
    return names


def _question(
    written: Mapping[str, Any], names: Mapping[str, str], stream: Mapping[int, Memory]
) -> Question:
    tick = _tick_of(written["at"])
    known = [memory for memory in stream.values() if memory["formed_tick"] <= tick]
    grades: dict[int, int] = {}
    for grade, numbers in ((HELPS, written.get("helps", [])), (ANSWERS, written["answers"])):
        for number in numbers:
            judged = stream.get(number)
            if judged is None or judged["formed_tick"] > tick:
                raise ValueError(f"{written['id']}: no memory {number} by {written['at']}")
            for memory in known:
                if _words(memory) == _words(judged):
                    grades[memory["number"]] = grade
    about = written.get("about")
    return Question(
        id=written["id"],
        kind=written["kind"],
        agent=written["agent"],
        as_of_tick=tick,
        purpose=written["purpose"],
        query=written["query"],
        subject=None if about is None else Subject(slug=about, name=names[about]),
        grades=grades,
    )


def _words(memory: Memory) -> tuple[str, str]:
    return memory["subject"], memory["description"].casefold()


def _tick_of(moment: str) -> int:
    """Return the tick of "13 21:00", the day of February and the time."""
    day, clock = moment.split()
    hour, minute = map(int, clock.split(":"))
    seconds = (int(day) - FIRST_DAY) * SECONDS_PER_DAY + hour * 3_600 + minute * 60
    return seconds // TICK_SECONDS
