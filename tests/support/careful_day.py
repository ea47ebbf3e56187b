"""A day of six agents with recorded answers: its fixture, the run, and what became of them."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from django.db.models import QuerySet

from apps import wiring
from apps.eventlog.store import log_sha256
from apps.llm.calls.answering import AnswerOutcome
from apps.llm.model_spec import ModelSpec
from apps.llm.models import ModelCallRow
from apps.llm.opening import Models
from apps.simulation import queries
from apps.simulation.commands.command_log import Issuer
from apps.simulation.commands.interventions import InnerVoiceBody, request_intervention
from apps.simulation.engine import lifecycle
from apps.simulation.engine.in_process import RunOptions, run_until_rest
from apps.simulation.engine.lifecycle import SimulationSpec
from apps.simulation.models import SimulationRow
from tests.support.recorded_answers import RecordedAnswers
from tests.support.recorded_model import Ask, RecordedModel, ask_nobody

FIXTURE = Path(__file__).parents[1] / "fixtures" / "careful_day"
# The answers were recorded before there was company, and before agents across a room were
# noticed: other moments would need other answers.
SETTINGS = {"situation_calls_per_hour": 0, "noticed_across_rooms": "dangers"}
AGENTS = ("John Lin", "Mei Lin", "Eddy Lin", "Tom Moreno", "Jane Moreno", "Sam Moore")
WORLD, SEED = "smallville", 3
UNTIL = "2023-02-14T00:00"
THREADS = 8
# An inner voice for one of them: who, when, what.
CANDIDATE, CANDIDATE_AT = "john-lin", "2023-02-13T10:30"
CANDIDACY = "You are going to run for mayor in the upcoming election."


def run_day(
    model: RecordedModel,
    *,
    until: str = UNTIL,
    on_progress: Callable[[int], None] = lambda _committed: None,
) -> SimulationRow:
    """Create the simulation and run it with the model; return it at rest."""

    def open_models(spec: ModelSpec, seed: int) -> Models:
        return replace(wiring.models_of(spec, seed), chat=model)

    ports = replace(wiring.ports(), open_models=open_models)
    spec = SimulationSpec(
        name="a careful day", world=WORLD, seed=SEED, agents=AGENTS, settings=SETTINGS
    )
    row = lifecycle.create_simulation(ports, spec)
    calendar = queries.calendar_of(row.pk)
    at_tick = calendar.tick_at(datetime.fromisoformat(CANDIDATE_AT))
    request_intervention(
        row.pk,
        CANDIDATE,
        InnerVoiceBody(text=CANDIDACY),
        issuer=Issuer(by="the fixture", at_tick=at_tick),
    )
    tick = calendar.tick_at(datetime.fromisoformat(until))
    lifecycle.request_run(row.pk, until_tick=tick)
    run_until_rest(ports, row.pk, RunOptions(threads=THREADS, on_progress=on_progress))
    row.refresh_from_db()
    return row


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptAnswers:
    """What became of the recorded answers of one LLM task."""

    task: str
    calls: int
    kept: int


@dataclass(frozen=True, kw_only=True)
class CarefulDay:
    """The day as it was replayed, and the answers that were given."""

    row: SimulationRow
    log: str
    model: RecordedModel

    @property
    def calls(self) -> list[ModelCallRow]:
        """The calls with a recorded answer, in the order of the history."""
        return [row for row in self.all_calls if row.call_id in self.model.given]

    @property
    def all_calls(self) -> QuerySet[ModelCallRow]:
        """All calls, in the order of the history."""
        rows = ModelCallRow.objects.filter(simulation_id=self.row.pk)
        return rows.order_by("tick", "stream", "id")

    def kept_by_task(self) -> list[KeptAnswers]:
        """Return for each task how many recorded answers were given, and kept as given."""
        calls = self.calls
        return [
            KeptAnswers(
                task=task,
                calls=sum(call.task == task for call in calls),
                kept=sum(call.task == task and is_kept(call) for call in calls),
            )
            for task in sorted({call.task for call in calls})
        ]

    def changed(self) -> list[str]:
        """Return a line for each recorded answer that was not kept as given."""
        return [change_text(call) for call in self.calls if not is_kept(call)]

    def unrecorded(self) -> Counter[str]:
        """Return how many questions of each task had no recorded answer."""
        return Counter(situation.task for situation in self.model.unrecorded)


def is_kept(call: ModelCallRow) -> bool:
    """Return whether the first answer was done as given."""
    return call.outcome == AnswerOutcome.VALID


def change_text(call: ModelCallRow) -> str:
    """Return a line with the call, its outcome, and the differences or the errors."""
    reasons = [
        f"{one['field']}: {one['answered']!r} became {one['used']!r} ({one['reason']})"
        for one in call.differences
    ]
    reasons += [attempt["error"] for attempt in call.attempts if attempt.get("error")]
    return f"{call.call_id} {call.outcome}: {'; '.join(reasons)}"


def replay_day(*, until: str = UNTIL, ask: Ask = ask_nobody) -> CarefulDay:
    """Run the day with the recorded answers; `ask`, then the rules, answer other questions."""
    rules = wiring.open_rule_model(SEED)
    model = RecordedModel(answers=RecordedAnswers(FIXTURE), rules=rules, ask=ask)
    row = run_day(model, until=until)
    return CarefulDay(row=row, log=log_sha256(row.pk), model=model)
