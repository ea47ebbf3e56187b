"""The registered judges, and the rule that ranks answers by their evidence, without a model.

It measures how much of an answer the agent's memories support, and not believability: an answer
in the words of memories ranks above a vague one, and that above an invented one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from apps.django_support.function_registry import Registry
from apps.evaluation.rankings.inputs import RankingInput
from apps.interaction.inputs import InterviewInput
from apps.kernel.errors import DomainError
from apps.llm.hashing_embedding import content_stems


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
    """Return the ranks by evidence; answers of the same evidence have the same rank."""
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
        *(f"{one.activity} {one.place}" for one in (*interview.plans, *interview.spent)),
        *(one.activity for one in interview.agreements),
    )
    return frozenset().union(*map(content_stems, texts))
