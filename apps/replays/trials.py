"""Trials of models: recorded calls are sent to another model, and both answers are compared.

A trial changes nothing of the simulation. The turns of these calls are taken again from
recorded answers, which yields the typed inputs by which an answer is checked.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from django.db import transaction
from django.db.models import Count

from apps import history
from apps.kernel.language import use_language
from apps.llm.catalogue import parse_chat_model
from apps.llm.recorded_answers import RepeatedCall
from apps.llm.second_answers import SecondAnswer, ask_again
from apps.replays.models import ModelTrialRow, TrialAnswerRow
from apps.replays.trial_sample import (
    TrialRequest,
    UnusableTrial,
    sample_of,
    sample_of_row,
    span_of,
)
from apps.simulation.locks import lock_simulation_row
from apps.simulation.ports import Ports, constants_at
from apps.simulation.turn.repeated_turns import RepeatedTurn
from apps.work.kinds import TakenWork, WorkProgress
from apps.work.limited_work import LimitedWorkKind, progress_by_work
from apps.work.rows import WorkState

CALLS_AT_ONCE = 8
MONEY_LIMIT_REACHED = "money-limit-reached"


def request_trial(
    ports: Ports, simulation_id: UUID, request: TrialRequest, *, by: str
) -> ModelTrialRow:
    """Record the request of a trial.

    :raises SimulationUnknown: if the simulation has been deleted.
    :raises UnusableTrial: if there is nothing to ask in committed ticks.
    :raises UnknownModel: if there is no such model.
    :raises ModelNotAllowed: if the operator does not offer it.
    :raises PriceUnknown: if money is limited and the price of the model is not known.
    """
    spec = parse_chat_model(request.model, is_priced=request.money_max is not None)
    ports.open_models(spec, request.seed)  # it checks what is offered
    span = span_of(history.get_simulation(simulation_id), request.from_, request.to)
    sample = sample_of(simulation_id, span, request.tasks, request.calls_per_task, request.seed)
    with transaction.atomic():
        lock_simulation_row(simulation_id)
        return ModelTrialRow.objects.create(
            simulation_id=simulation_id,
            model=spec.chat,
            from_tick=span.first,
            to_tick=span.last,
            tasks=list(request.tasks),
            calls_per_task=request.calls_per_task,
            seed=request.seed,
            recorded=dict(sample.recorded),
            calls=sample.size,
            tokens_max=request.tokens_max,
            money_max=request.money_max,
            by=by,
            reason=request.reason,
        )


def _ask_waiting(taken: TakenWork[ModelTrialRow]) -> None:
    """Ask the calls that are not answered yet, those of some turns at once, and end the trial.

    Turns whose calls are all answered are not taken again. Calls whose prompt this version of
    the code does not make any more are left out.

    :raises UnusableTrial: if all calls are left out.
    """
    row = taken.row
    batches = TRIALS.batches(row)
    answered = set(TrialAnswerRow.objects.filter(trial=row).values_list("call_id", flat=True))
    constants = constants_at(row.simulation_id, taken.ports.worlds, row.to_tick)
    models = taken.ports.open_models(parse_chat_model(row.model), constants.seed)
    answers = _AnswersOfTrial(row)
    asked: list[RepeatedCall] = []
    done = len(answered)
    # What will be used by those that wait for the next batch.
    tokens, money = 0, Decimal(0)
    with use_language(constants.world.language):
        for (tick, agent), call_ids in sample_of_row(row).calls.items():
            if waiting := set(call_ids) - answered:
                batches.ensure_wanted()
                at = constants_at(row.simulation_id, taken.ports.worlds, tick)
                turn = RepeatedTurn(taken.ports, at, agent=agent, tick=tick)
                asked += [one for one in turn.unchanged_calls() if one.call_id in waiting]
                done += len(waiting)
            if len(asked) >= CALLS_AT_ONCE:
                expected = ask_again(asked, models, answers, batches)
                tokens, money = tokens + expected.tokens, money + expected.cost
                asked = []
                taken.on_progress(done, row.calls)
                if tokens and _reaches_limit(row.pk, tokens, money):
                    break
        ask_again(asked, models, answers, batches)
    batches.send()
    _end(taken)


def _end(taken: TakenWork[ModelTrialRow]) -> None:
    """End a trial whose calls are answered, but those that are left out.

    :raises UnusableTrial: if all are.
    """
    row = taken.row
    left_out = row.calls - TrialAnswerRow.objects.filter(trial=row).count()
    if left_out == row.calls:
        raise UnusableTrial(
            "this version of the service makes none of these prompts any more; continue the "
            "simulation, or create a new one, and request a trial of the calls recorded then"
        )
    taken.on_progress(row.calls, row.calls)
    TRIALS.end(row.pk, WorkState.DONE, left_out=left_out)


def _reaches_limit(trial_id: UUID, tokens: int, money: Decimal) -> bool:
    """Return whether a trial is at a limit once it has used so much more."""
    row = TRIALS.get(trial_id)
    row.tokens, row.money = row.tokens + tokens, row.money + money
    return TRIALS.limit_reached(row) is not None


@dataclass(frozen=True, slots=True)
class _AnswersOfTrial:
    """Stores the answers of a trial and adds what they used to its row."""

    row: ModelTrialRow

    def keep(self, answer: SecondAnswer) -> None:
        """Store an answer with its use; an earlier one to the same call stays.

        :raises WorkStopped: if the trial was deleted.
        """
        with transaction.atomic():
            self.pay(answer.used.tokens, answer.used.cost)
            row = TrialAnswerRow(trial=self.row, **answer.values())
            TrialAnswerRow.objects.bulk_create([row], ignore_conflicts=True)

    def pay(self, tokens: int, money: Decimal) -> None:
        """Add what a call used; see `LimitedWorkKind.add_use`."""
        TRIALS.add_use(self.row.pk, tokens=tokens, money=money)


@dataclass(frozen=True, kw_only=True)
class _TrialKind(LimitedWorkKind[ModelTrialRow]):
    """Trials, which have a limit of money as well."""

    def limit_reached(self, row: ModelTrialRow) -> tuple[str, str] | None:
        """Return the code and the words of a limit that the trial has reached, else None."""
        if row.money_max is not None and row.money >= row.money_max:
            limit, used = row.money_max.normalize(), row.money.normalize()
            return MONEY_LIMIT_REACHED, f"the limit of {limit:f} is reached: {used:f}"
        return super().limit_reached(row)

    def progress_of(self, rows: Sequence[ModelTrialRow]) -> Mapping[UUID, WorkProgress]:
        """Return the calls of each trial that are answered; all of one that is done."""
        answered = progress_by_work(
            WorkProgress,
            TrialAnswerRow.objects.all(),
            of="trial_id",
            work_ids=[row.pk for row in rows],
            done=Count("pk"),
        )
        return {
            row.pk: WorkProgress(
                done=row.calls if row.state == WorkState.DONE else answered[row.pk].done,
                total=row.calls,
            )
            for row in rows
        }


TRIALS = _TrialKind(name="model-trial", model=ModelTrialRow, parts="calls", step=_ask_waiting)
