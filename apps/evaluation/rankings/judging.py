"""How a model, or the rule judge in its place, ranks the answers of a task."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from apps import history
from apps.django_support.function_registry import Registry
from apps.evaluation.function_model import with_function, without_server
from apps.evaluation.models import RankingJudgementRow, RankingRow, RankingTaskRow
from apps.evaluation.rankings.llm_tasks import RANKING, RankingAnswer, RankingInput
from apps.evaluation.rankings.queries import presented_conditions
from apps.evaluation.statistics.rank_tests import fractional_ranks
from apps.interaction.conditions import FULL
from apps.interaction.context import PERSONA_DEFAULT, InterviewContext
from apps.interaction.inputs import InterviewInput
from apps.interaction.models import InterviewRow
from apps.kernel.errors import DomainError
from apps.kernel.language import use_language
from apps.kernel.words import content_stems
from apps.llm.calls.agent_llm import CallSeries
from apps.llm.calls.gateway import CallBatches
from apps.llm.model_spec import ModelSpec
from apps.llm.opening import Models, open_agent_llm
from apps.llm.port import CallPurpose
from apps.simulation.ports import Ports


class JudgeUnknown(DomainError):
    """There is no judge of that name; `GET /judges` lists them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """Returns the rank of each answer, 1 for the best; `title` is its name in reports."""

    name: str
    description: str
    function: Callable[[RankingInput], Sequence[int]]
    title: str = ""


JUDGES = Registry("judge", Judge, unknown=JudgeUnknown)
RULE_JUDGE = "rule judge (evidence, not believability)"


@JUDGES.register(
    "rule",
    description="Ranks by the share of an answer that the agent's memories support.",
    title=RULE_JUDGE,
)
def ranked_by_evidence(inputs: RankingInput) -> list[int]:
    """Return the ranks by evidence; answers of the same evidence have the same rank.

    This measures how much of an answer the agent's memories support, and not believability: an
    answer in the words of memories ranks above a vague one, and that above an invented one.
    """
    known = known_stems(inputs.interview)
    scores = [evidence(answer, inputs.interview.question, known) for answer in inputs.answers]
    return [1 + sum(other > one for other in scores) for one in scores]


def evidence(answer: str, question: str, known: frozenset[str]) -> int:
    """Return the number of supported words of the answer less that of the others.

    Words of the question count for nothing, and a repeated word counts once.
    """
    said = content_stems(answer) - content_stems(question)
    return len(said & known) - len(said - known)


def known_stems(interview: InterviewInput) -> frozenset[str]:
    """Return the stems of all that the agent knows: memories, facts, plans, and time spent."""
    summary = interview.summary
    texts = (
        interview.agent_name,
        interview.home,
        interview.workplace,
        interview.place,
        *(memory.description for memory in interview.memories),
        *summary.lasting.sentences,
        *summary.lasting.relationships,
        *(f"{one.activity} {one.place}" for one in interview.plans),
        *(f"{' '.join(one.actions)} {one.place}" for one in interview.spent),
        *(one.activity for one in interview.agreements),
    )
    return frozenset().union(*map(content_stems, texts))


def judging_model(simulation_id: UUID, judge: str) -> ModelSpec:
    """Return the model that ranks: the simulation's, or none for a function.

    :raises JudgeUnknown: if there is no such function.
    """
    spec = history.model_of(simulation_id)
    if judge in RankingRow.Judge:
        return spec
    JUDGES.item(judge)
    return without_server(spec)


def _open_judge(ports: Ports, row: RankingRow, seed: int) -> Models:
    models = ports.open_models(judging_model(row.survey.simulation_id, row.judge), seed)
    if row.judge in RankingRow.Judge:
        return models
    rank = JUDGES.item(row.judge).function
    return with_function(
        models, row.judge, RANKING.name, lambda inputs: RankingAnswer(ranks=list(rank(inputs)))
    )


def judge_name(row: RankingRow) -> str:
    """Return the name of the judge as an evaluator."""
    if row.judge not in RankingRow.Judge:
        return JUDGES.item(row.judge).title or row.judge
    return history.model_of(row.survey.simulation_id).chat_model


def judge_task(
    ports: Ports, row: RankingRow, task: RankingTaskRow, batches: CallBatches
) -> RankingJudgementRow:
    """Ask the judge for the ranks of a task, and return them as a row that is not saved.

    The judge reads what the agent itself has under the full condition as of the moment.

    :raises JudgeUnknown: if there is no such judge any more.
    :raises BudgetSpent: if the budget of the simulation is spent (L5).
    :raises ModelUnavailable: if the model does not answer.
    """
    simulation_id = row.survey.simulation_id
    constants = history.constants_of(simulation_id, ports.worlds)
    llm = open_agent_llm(
        simulation_id=simulation_id,
        tick=task.as_of_tick,
        stream=task.agent,
        models=_open_judge(ports, row, constants.seed),
        series=CallSeries(
            purpose=CallPurpose.INTERVIEW, others=task.number, can_wait=True, batches=batches
        ),
    )
    presented = presented_conditions(task, seed=row.seed, evaluator=judge_name(row))
    interview = InterviewRow(
        simulation_id=simulation_id,
        agent=task.agent,
        persona=PERSONA_DEFAULT,
        question=task.text,
        conditions=FULL.name,
        as_of_tick=task.as_of_tick,
    )
    with use_language(constants.world.language):
        context = InterviewContext(constants, interview, llm)
        answer = llm.ask(
            RANKING,
            RankingInput(
                interview=context.input(context.retrieve()),
                answers=tuple(task.answers[condition] for condition in presented.values()),
            ),
        )
    ranks = dict(zip(presented.values(), answer.ranks, strict=True))
    return RankingJudgementRow(
        task=task,
        evaluator=judge_name(row),
        ranks=fractional_ranks(ranks),
        model_calls=list(llm.calls),
        parse_error=llm.error_of_last(),
    )
