"""Trials of models: another model is asked recorded calls, and its answers are compared.

A trial changes nothing of the simulation. Its calls are those of turns that are taken again
from recorded answers: these have the typed inputs by which an answer is checked.
"""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Count, F
from django.utils import timezone
from pydantic import ValidationError

from apps.kernel.errors import SmallvilleError
from apps.kernel.language import use_language
from apps.llm.answers.decisions import Decision
from apps.llm.calls.gateway import THREADS_PER_AGENT_MAX, Call
from apps.llm.calls.second_answers import SecondAnswer, ask_again
from apps.llm.catalogue import ensure_prices_known, parse_model, price_of
from apps.llm.model_spec import ModelSpec
from apps.llm.opening import Models
from apps.llm.prices import Price
from apps.llm.recorded_answers import RecordedCall
from apps.llm.usage import Usage
from apps.replays.models import ModelTrialRow, TrialAnswerRow
from apps.replays.trial_sample import TrialRequest, sample_of, sample_of_row, span_of
from apps.simulation.locks import lock_simulation_row
from apps.simulation.ports import Ports, constants_at
from apps.simulation.turn.repeated_turns import RepeatedTurn
from apps.work.kinds import TakenWork, WorkProgress, WorkStopped
from apps.work.limited_work import LimitedWorkKind
from apps.work.rows import WorkState

MONEY_LIMIT_REACHED = "money-limit-reached"


def tried_model(name: str) -> ModelSpec:
    """Return the specification of the model of a trial, which embeds no texts.

    :raises UnknownModel: if there is none of that name.
    """
    chat = parse_model(name)
    return ModelSpec(server=chat.server, chat_model=chat.chat_model)


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
    spec = tried_model(request.model)
    ports.open_models(spec, request.seed)  # it checks what is offered
    if request.money_max is not None:
        ensure_prices_known(spec)
    with transaction.atomic():
        simulation = lock_simulation_row(simulation_id)
        span = span_of(simulation, request.from_, request.to)
        sample = sample_of(
            simulation_id, span, request.tasks, request.calls_per_task, request.seed
        )
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
    """Ask what is not answered yet, some turns at once, and end the trial.

    Turns whose calls are all answered are not taken again. A call is left out whose prompt this
    version of the code does not make any more.
    """
    row = taken.row
    answered = set(TrialAnswerRow.objects.filter(trial=row).values_list("call_id", flat=True))
    constants = constants_at(row.simulation_id, taken.ports.worlds, row.to_tick)
    models = taken.ports.open_models(tried_model(row.model), constants.seed)
    language = constants.world.language
    asked: list[tuple[Call, RecordedCall]] = []
    done = len(answered)
    for (tick, agent), call_ids in sample_of_row(row).calls.items():
        if waiting := set(call_ids) - answered:
            TRIALS.ensure_below_limit(row.pk)
            asked += _calls_of_turn(taken.ports, row, tick, agent, waiting)
            done += len(waiting)
        if len(asked) >= THREADS_PER_AGENT_MAX:
            _ask(row, models, language, asked)
            asked = []
            taken.on_progress(done, row.calls)
    if asked:
        _ask(row, models, language, asked)
    left_out = row.calls - TrialAnswerRow.objects.filter(trial=row).count()
    taken.on_progress(row.calls, row.calls)
    TRIALS.end(row.pk, WorkState.DONE, left_out=left_out)


def _calls_of_turn(
    ports: Ports, row: ModelTrialRow, tick: int, agent: str, wanted: Collection[str]
) -> list[tuple[Call, RecordedCall]]:
    """Return those of the calls of a turn that have the messages that were recorded."""
    constants = constants_at(row.simulation_id, ports.worlds, tick)
    turn = RepeatedTurn(ports, constants, agent=agent, tick=tick)
    with suppress(SmallvilleError, ValidationError):
        turn.events()  # the calls before one that is made no more can be asked
    return [
        (call, recorded)
        for call, recorded in turn.gateway.answered
        if call.place.call_id in wanted
        and recorded.messages == [message.to_json() for message in call.request.messages]
    ]


def _ask(
    row: ModelTrialRow,
    models: Models,
    language: str,
    asked: Sequence[tuple[Call, RecordedCall]],
) -> None:
    with use_language(language):
        wanted = partial(TRIALS.ensure_below_limit, row.pk)
        ask_again(asked, models, _AnswersOfTrial(row, models.price), wanted)


@dataclass(frozen=True, slots=True)
class _AnswersOfTrial:
    """Stores the answers of a trial, and adds up what they used."""

    row: ModelTrialRow
    price: Price | None

    def keep(self, answer: SecondAnswer) -> None:
        """Store an answer with its use; an earlier one to the same call stays.

        :raises WorkStopped: if the trial was deleted.
        """
        found = answer.agreement
        call, recorded, used = answer.completed, answer.recorded, answer.completed.spent
        place = call.place
        with transaction.atomic():
            self.pay(used)
            row = TrialAnswerRow(
                trial=self.row,
                simulation_id=place.simulation_id,
                tick=place.tick,
                stream=place.stream,
                task=place.task,
                call_id=place.call_id,
                server=call.server,
                model=call.model,
                prompt_tokens=used.prompt_tokens,
                cached_prompt_tokens=used.cached_prompt_tokens,
                completion_tokens=used.completion_tokens,
                billed_equivalent_tokens=used.billed_equivalent_tokens,
                latency_ms=used.latency_ms,
                cost=None if self.price is None else used.cost,
                attempts=list(call.attempts),
                answer=call.answer,
                outcome=call.outcome,
                recorded_server=recorded.server,
                recorded_model=recorded.model,
                recorded_outcome=recorded.outcome,
                recorded_tokens=recorded.used.tokens,
                recorded_latency_ms=recorded.used.latency_ms,
                recorded_cost=_cost_of(recorded),
                decision=_facts(answer.decision),
                recorded_decision=_facts(answer.recorded_decision),
                is_equal=None if found is None else found.is_equal,
                overlap=None if found is None else found.overlap,
            )
            TrialAnswerRow.objects.bulk_create([row], ignore_conflicts=True)

    def pay(self, used: Usage) -> None:
        """Add what a call used, also to a trial that was paused or cancelled meanwhile.

        :raises WorkStopped: if the trial was deleted.
        """
        values: dict[str, Any] = {
            "tokens": F("tokens") + used.tokens,
            "money": F("money") + used.cost,
            "taken_at": timezone.now(),
        }
        if not ModelTrialRow.objects.filter(pk=self.row.pk).update(**values):
            raise WorkStopped


def _cost_of(recorded: RecordedCall) -> Any:
    """Return what a recorded call cost by the price of today, None without one."""
    price, used = price_of(recorded.model, recorded.server), recorded.used
    return price and price.cost(
        prompt_tokens=used.prompt_tokens,
        completion_tokens=used.completion_tokens,
        cached_prompt_tokens=used.cached_prompt_tokens,
    )


def _facts(decision: Decision | None) -> list[list[Any]] | None:
    return None if decision is None else sorted(map(list, decision), key=repr)


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
        counted = TrialAnswerRow.objects.filter(trial__in=rows).values_list("trial").order_by()
        answers = dict(counted.annotate(Count("id")))
        return {
            row.pk: WorkProgress(
                done=row.calls if row.state == WorkState.DONE else answers.get(row.pk, 0),
                total=row.calls,
            )
            for row in rows
        }


TRIALS = _TrialKind(name="model-trial", model=ModelTrialRow, parts="calls", step=_ask_waiting)
