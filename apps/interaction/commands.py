"""Commands of interviews: request one, and answer it at once or in a worker (U1).

An interview appends no event: only the model call and the interview itself are recorded.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from typing import Annotated, Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from pydantic import Field

from apps.django_support.heartbeat import lapse_limit
from apps.django_support.outage_log import outage_of
from apps.interaction.answer_forms import OPEN, AnswerForm, AnswerKind, NoValue, answer_form
from apps.interaction.conditions import FULL, Condition
from apps.interaction.context import (
    PERSONA_DEFAULT,
    InterviewContext,
    RetrievedMemory,
    persona_of,
)
from apps.interaction.inputs import InterviewInput, TypedQuestionInput
from apps.interaction.llm_tasks import ANSWER, CHOICE, NUMBER
from apps.interaction.models import InterviewRow
from apps.interaction.supported_values import supported_value
from apps.kernel.errors import DomainError
from apps.kernel.language import use_language
from apps.llm.calls.agent_llm import AgentLLM, CallSeries
from apps.llm.calls.gateway import WITHOUT_BATCHES, CallBatches
from apps.llm.cleaning import in_one_line
from apps.llm.model_spec import OFFLINE
from apps.llm.opening import open_agent_llm
from apps.llm.port import CallPurpose
from apps.llm.task import LLMTask
from apps.memory.llm_tasks.summaries import SUMMARIES
from apps.simulation import queries
from apps.simulation.commands.command_log import Issuer, ensure_present
from apps.simulation.commands.interventions import InterviewBody, request_intervention
from apps.simulation.engine.lifecycle import ensure_not_deleted
from apps.simulation.locks import lock_simulation_row, take_numbers
from apps.simulation.ports import Ports, constants_of
from apps.work.kinds import TakenWork, WorkKind
from apps.work.rows import WorkState

QUESTION_CHARACTERS_MAX = 1_000
PERSONA_CHARACTERS_MAX = 200
QuestionText = Annotated[str, Field(max_length=QUESTION_CHARACTERS_MAX)]
PersonaText = Annotated[str, Field(max_length=PERSONA_CHARACTERS_MAX)]
# The fields of a retrieved memory that an interview does not store.
_NOT_STORED = frozenset({"parts", "scheduled"})


@dataclass(frozen=True, slots=True)
class SpokenAnswer:
    """The answer in one line, its value, and the error if the fallback stands in for it.

    `value` is the chosen option or the number; None for an open question, and for an answer
    that has none, `no_value` is then the reason. A number of a scale is whole.
    """

    words: str
    value: str | float | None
    no_value: NoValue | None
    error: str


def task_of(form: AnswerForm) -> LLMTask[Any, Any]:
    """Return the LLM task that answers questions of the form."""
    if form.kind is AnswerKind.OPEN:
        return ANSWER
    return CHOICE if form.kind is AnswerKind.CHOICE else NUMBER


def ask_in_form(
    llm: AgentLLM, form: AnswerForm, inputs: InterviewInput, *, by_rules: bool
) -> SpokenAnswer:
    """Ask the model for an answer of the form; `by_rules` if it is the rule-based one."""
    value: str | float | None = None
    no_value: NoValue | None = None
    typed = TypedQuestionInput(interview=inputs, form=form)
    if form.kind is AnswerKind.OPEN:
        words = llm.ask(ANSWER, inputs).answer
    elif form.kind is AnswerKind.CHOICE:
        chosen = llm.ask(CHOICE, typed)
        words, value = chosen.answer, chosen.choice or None
    else:
        numeric = llm.ask(NUMBER, typed)
        words, value = numeric.answer, _whole_if_possible(numeric.number)
    error = llm.error_of_last()
    if value is None and form.kind is not AnswerKind.OPEN:
        no_value = NoValue.UNREADABLE if error else _reason(typed, by_rules=by_rules)
    return SpokenAnswer(in_one_line(words), value, no_value, error)


def _reason(typed: TypedQuestionInput, *, by_rules: bool) -> NoValue:
    """Return why a valid answer has no value."""
    supported = supported_value(typed) if by_rules else None
    return supported if isinstance(supported, NoValue) else NoValue.NOT_GIVEN


def _whole_if_possible(number: float | None) -> float | None:
    return int(number) if number is not None and number.is_integer() else number


class UnusableQuestion(DomainError):
    """The question or the persona is blank or too long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InterviewRequest:
    """A question to an agent as of a tick, with the persona of the interviewer.

    `conditions` says which memories the answer may rest on, `form` what the answer consists of.
    `question_before` is what "it" in the question means.

    With `remember` the agent remembers the interview.
    """

    agent: str
    question: str
    question_before: str = ""
    persona: str = PERSONA_DEFAULT
    conditions: Condition = FULL
    form: AnswerForm = OPEN
    remember: bool = False
    as_of_tick: int
    answered_by: InterviewRow.Answerer = InterviewRow.Answerer.REQUEST


def request_interview(
    simulation_id: UUID, request: InterviewRequest, *, by: str, reason: str = ""
) -> InterviewRow:
    """Record the request, under the simulation's next number.

    :raises SimulationUnknown: if the simulation has been deleted.
    :raises UnusableQuestion: if the question or the persona is blank or too long.
    :raises NotFound: if the agent must remember the interview and is not in the simulation.
    """
    if request.remember:
        ensure_present(simulation_id, request.agent)
    ensure_usable(request)
    with transaction.atomic():
        [number] = take_numbers(lock_simulation_row(simulation_id), "interviews", 1)
        return InterviewRow.objects.create(
            simulation_id=simulation_id,
            number=number,
            by=by,
            reason=reason,
            **row_values(request),
        )


def ensure_usable(request: InterviewRequest) -> None:
    """Check the texts of a request.

    :raises UnusableQuestion: if the question or the persona is blank or too long.
    """
    _require_usable(request.question, "question", QUESTION_CHARACTERS_MAX)
    _require_usable(request.persona, "persona", PERSONA_CHARACTERS_MAX)


def row_values(request: InterviewRequest) -> dict[str, Any]:
    """Return the values of the request as they are in a row."""
    values = {field.name: getattr(request, field.name) for field in fields(request)}
    return values | {"conditions": request.conditions.name, "form": request.form.to_json()}


def answer_interview(
    ports: Ports,
    interview_id: UUID,
    *,
    summary_number: int | None = None,
    batches: CallBatches = WITHOUT_BATCHES,
) -> InterviewRow | None:
    """Ask the model and record the answer; a call that was completed before is used (L6).

    A summary that is made for the interview alone is the one of `summary_number`, the number of
    an interview of the agent at the same moment under the same condition, so that several can
    share it; by default it is the interview's own. `ensure_wanted` is called before a model is
    asked; an error of it prevents that.

    Returns None if the interview is over, deleted, or taken by another process.

    :raises SimulationUnknown: if the simulation was deleted before the answer was recorded.
    :raises WorkStopped: if the interview was paused, cancelled or deleted meanwhile.
    :raises DomainError: if the model gives no answer; the row has code and message.
    """
    row = INTERVIEWS.take(interview_id)
    if row is None:
        return None
    with INTERVIEWS.carried_out(interview_id):
        return _ask_unless_deleted(ports, row, summary_number or row.number, batches)


class _InterviewKind(WorkKind[InterviewRow]):
    """Interviews, of which workers answer those that no other process is to answer."""

    def ids(self) -> list[UUID]:
        """Return those for workers; those of a request that was lost are among them."""
        answerer = InterviewRow.Answerer
        is_orphan = Q(answered_by=answerer.REQUEST, requested_at__lt=lapse_limit())
        rows = self.rows.filter(self.is_free(), Q(answered_by=answerer.WORKER) | is_orphan)
        return list(rows.order_by("requested_at").values_list("pk", flat=True))

    def resume(self, work_id: UUID, *, by: str, **changes: Any) -> None:
        """Give the interview back, so that any worker can answer it."""
        answerer = InterviewRow.Answerer.WORKER
        super().resume(work_id, by=by, answered_by=answerer, **changes)


def _answer(taken: TakenWork[InterviewRow]) -> None:
    _ask_unless_deleted(taken.ports, taken.row, taken.row.number, WITHOUT_BATCHES)


INTERVIEWS = _InterviewKind(
    name="interview",
    model=InterviewRow,
    parts="interviews",
    step=_answer,
    stopped_state=WorkState.FAILED,
    awaits="the answer of a model",
)


def _ask_unless_deleted(
    ports: Ports, row: InterviewRow, summary_number: int, batches: CallBatches
) -> InterviewRow:
    try:
        return _ask(ports, row, summary_number, batches)
    except Exception as error:
        if outage_of(error) is None:
            ensure_not_deleted(row.simulation_id)  # without its rows anything may fail
        raise


def _ask(
    ports: Ports, row: InterviewRow, summary_number: int, batches: CallBatches
) -> InterviewRow:
    """Ask the model, without a database connection during a remote call; record the answer.

    :raises BudgetSpent: if the budget of the simulation is spent (L5).
    :raises ModelUnavailable: if the model does not answer.
    """
    constants = constants_of(row.simulation_id, ports.worlds)
    model = queries.model_of(row.simulation_id)
    llm = open_agent_llm(
        simulation_id=row.simulation_id,
        tick=row.as_of_tick,
        stream=row.agent,
        models=ports.open_models(model, constants.seed),
        series=CallSeries(
            purpose=CallPurpose.INTERVIEW,
            others=row.number,
            of_tasks={SUMMARIES.name: summary_number},
            can_wait=row.answered_by != InterviewRow.Answerer.REQUEST,
            batches=batches,
        ),
    )
    with use_language(constants.world.language):
        context = InterviewContext(constants, row, llm)
        retrieved, form = context.retrieve(), answer_form(row.form)
        by_rules = model.chat_of(row.agent, task_of(form).name) == OFFLINE
        spoken = ask_in_form(llm, form, context.input(retrieved), by_rules=by_rules)
        return _record_answer(row, spoken, retrieved, llm.calls)


def _record_answer(
    row: InterviewRow,
    spoken: SpokenAnswer,
    retrieved: Iterable[RetrievedMemory],
    model_calls: tuple[str, ...],
) -> InterviewRow:
    """Record the answer and, if the agent must remember it, the command (U1).

    :raises SimulationUnknown: if the simulation has been deleted.
    :raises WorkStopped: if the interview is not wanted any more; its call stays in the log.
    """
    with transaction.atomic():
        lock_simulation_row(row.simulation_id)
        INTERVIEWS.lock_wanted(row.pk)
        row.answer, row.value = spoken.words, spoken.value
        row.no_value, row.parse_error = spoken.no_value or "", spoken.error
        row.memories = [_memory_json(one) for one in retrieved]
        row.model_calls = list(model_calls)
        row.state = WorkState.DONE
        row.finished_at, row.seen_at = timezone.now(), None
        if row.remember:
            interview = InterviewBody(
                persona=persona_of(row),
                question=in_one_line(row.question),
                answer=spoken.words,
                model_calls=model_calls,
            )
            issuer = Issuer(by=row.by, reason=row.reason)
            command = request_intervention(
                row.simulation_id, row.agent, interview, issuer=issuer
            )
            row.command_id = command.pk
        row.save()
    return row


def _memory_json(retrieved: RetrievedMemory) -> dict[str, Any]:
    values = asdict(retrieved.memory).items()
    stored = {name: value for name, value in values if name not in _NOT_STORED}
    return stored | {"query": retrieved.query}


def _require_usable(text: str, field: str, characters_max: int) -> None:
    if not in_one_line(text) or len(text) > characters_max:
        raise UnusableQuestion(f"give the {field} in 1 to {characters_max:,} characters")
