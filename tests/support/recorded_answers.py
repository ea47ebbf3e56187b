"""Recorded answers: the files of a fixture, the answer of a situation, labels as numbers.

A fixture is a folder with one YAML file for each agent. An entry has the situation of its
question and the answer as a model gives it, with one exception: where an answer refers to
something by a number or a key of its prompt, the entry has the label, so that another order or
presentation of options does not change what is answered. Actions of an hour have their minutes,
which are the same when the hour begins a little earlier or later.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from threading import Lock
from typing import Any

import yaml

from apps.dialogue.inputs import TakeawaysInput
from apps.memory.items import ImportanceInput
from apps.planning.inputs import HourActionsInput, HourlyPlanInput, RevisedHoursInput
from apps.planning.llm_tasks.hour_actions import starts_in_turn
from apps.reaction.inputs import DecisionInput
from apps.reflection.inputs import InsightsInput
from tests.support.situations import Situation, observation_label

# A situation that comes earlier or later by no more than this has the same answer.
TOLERANCE = timedelta(minutes=20)
TIME_FORM = "%Y-%m-%d %H:%M:%S"
_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

Json = dict[str, Any]


@dataclass(slots=True, kw_only=True)
class RecordedAnswer:
    """An answer with its situation; `used_by` is the call that it answered, None before."""

    situation: Situation
    answer: Json | str
    used_by: str | None = None


class RecordedAnswers:
    """The answers of a fixture. Each answers one call. Safe to use from several threads."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = Lock()
        self._answers: dict[tuple[str, str, str], list[RecordedAnswer]] = {}
        for path in sorted(folder.glob("*.yaml")):
            for entry in yaml.load(path.read_text("utf-8"), _Loader) or ():  # noqa: S506
                self._keep(_recorded(entry))

    def __len__(self) -> int:
        return sum(map(len, self._answers.values()))

    def unused(self) -> list[Situation]:
        """Return the situations of answers that no call has asked for."""
        kept = [one for answers in self._answers.values() for one in answers]
        return [one.situation for one in kept if one.used_by is None]

    def take(self, situation: Situation, call_id: str) -> Json | str | None:
        """Return the answer that is nearest in time and not used by another call, if any."""
        with self._lock:
            kept = self._answers.get(_key(situation), [])
            near = [
                one
                for one in kept
                if one.used_by in (None, call_id) and _distance(one, situation) <= TOLERANCE
            ]
            if not near:
                return None
            nearest = min(
                near, key=lambda one: (one.used_by is None, _distance(one, situation))
            )
            nearest.used_by = call_id
            return nearest.answer

    def add(self, situation: Situation, answer: Json | str, call_id: str) -> None:
        """Append an answer to the file of its agent."""
        at = None if situation.at is None else f"{situation.at:{TIME_FORM}}"
        entry = {"task": situation.task, "at": at, "subject": situation.subject}
        path = self._folder / f"{situation.agent.lower().replace(' ', '_')}.yaml"
        with self._lock:
            self._keep(RecordedAnswer(situation=situation, answer=answer, used_by=call_id))
            with path.open("a", encoding="utf-8") as file:
                file.write(entry_text({"agent": situation.agent, **entry, "answer": answer}))

    def _keep(self, answer: RecordedAnswer) -> None:
        self._answers.setdefault(_key(answer.situation), []).append(answer)


def entry_text(entry: Json) -> str:
    """Return an entry as YAML."""
    text: str = yaml.safe_dump([entry], allow_unicode=True, sort_keys=False, width=98)
    return text


def answer_text(answer: Json | str, inputs: object) -> str:
    """Return the answer as a server gives it, with the numbers of this call for labels.

    A label that the call does not offer stays, and is rejected like any other wrong answer.
    """
    if isinstance(answer, str):
        return answer
    resolve = _RESOLVED.get(type(inputs))
    resolved = resolve(answer, inputs) if resolve else answer
    return json.dumps(resolved, ensure_ascii=False)


def _key(situation: Situation) -> tuple[str, str, str]:
    return (situation.agent, situation.task, situation.subject)


def _distance(recorded: RecordedAnswer, situation: Situation) -> timedelta:
    if recorded.situation.at is None or situation.at is None:
        return timedelta()
    return abs(recorded.situation.at - situation.at)


def _recorded(entry: Json) -> RecordedAnswer:
    at = entry["at"]
    situation = Situation(
        agent=entry["agent"],
        task=entry["task"],
        at=None if at is None else datetime.fromisoformat(str(at)),
        subject=entry["subject"],
    )
    return RecordedAnswer(situation=situation, answer=entry["answer"])


def _numbers(labels: Iterable[str]) -> dict[str, int]:
    """Return the number from 1 of each label, that of the first of equal ones."""
    numbers: dict[str, int] = {}
    for number, label in enumerate(labels, start=1):
        numbers.setdefault(label, number)
    return numbers


def _decision(answer: Json, inputs: DecisionInput) -> Json:
    numbers = _numbers(map(observation_label, inputs.observed))
    named = answer.get("observation")
    return {**answer, "observation": numbers.get(str(named), named)}


def _hourly_plan(answer: Json, inputs: HourlyPlanInput) -> Json:
    numbers = _numbers(format_clock_24(slot.from_minute) for slot in inputs.slots)
    hours = [
        {**hour, "time": numbers.get(hour["time"], hour["time"])} for hour in answer["hours"]
    ]
    return {**answer, "hours": hours}


def _revised_hours(answer: Json, inputs: RevisedHoursInput) -> Json:
    numbers = _numbers(format_clock_24(slot.from_minute) for slot in inputs.slots)
    return {**answer, "dropped": [numbers.get(one, one) for one in answer["dropped"]]}


def _hour_actions(answer: Json, inputs: HourActionsInput) -> Json:
    """Let actions begin one after another, with time for their walks.

    The minutes of an entry were answered without walks, which took a little from each action.
    """
    actions = answer["actions"]
    areas, minutes = [one["area"] for one in actions], [one["minutes"] for one in actions]
    starts = starts_in_turn(inputs, areas, minutes)
    begun = [{**one, "starts": start} for one, start in zip(actions, starts, strict=False)]
    for one in begun:
        del one["minutes"]
    return {"actions": begun}


def _takeaways(answer: Json, inputs: TakeawaysInput) -> Json:
    keys = {agreement.text: agreement.key for agreement in inputs.agreements}
    return {
        **answer,
        "superseded": [keys.get(one, one) for one in answer.get("superseded", ())],
    }


def _insights(answer: Json, inputs: InsightsInput) -> Json:
    """Name the question, and the statements that the call has of those of the entry."""
    asked = _numbers(question.text for question in inputs.questions)
    numbers = _numbers(memory.description for memory in inputs.memories)
    return {
        "insights": [
            {
                **insight,
                "question": asked.get(insight["question"], insight["question"]),
                "because_of": [numbers[one] for one in insight["because_of"] if one in numbers],
            }
            for insight in answer["insights"]
        ]
    }


def _importance(answer: Json, inputs: ImportanceInput) -> Json:
    ratings = answer["importances"]
    return {"importances": [ratings[memory.description] for memory in inputs.memories]}


def format_clock_24(minute: int) -> str:
    """Return a minute of a day, or of the night after it, as "07:30"."""
    return f"{minute // 60 % 24:02d}:{minute % 60:02d}"


_RESOLVED: Mapping[type, Callable[[Json, Any], Json]] = {
    DecisionInput: _decision,
    HourActionsInput: _hour_actions,
    HourlyPlanInput: _hourly_plan,
    RevisedHoursInput: _revised_hours,
    TakeawaysInput: _takeaways,
    InsightsInput: _insights,
    ImportanceInput: _importance,
}
