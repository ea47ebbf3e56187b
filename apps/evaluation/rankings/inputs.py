"""The typed input of the judge of a ranking."""

from dataclasses import dataclass

from apps.interaction.inputs import InterviewInput


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingInput:
    """What a judge knows of the agent, and the answers without their conditions.

    `interview` is the input that the agent itself has under the full condition: the evaluators
    of the paper could read the whole memory stream (6.1). `answers` are in random order.
    """

    interview: InterviewInput
    answers: tuple[str, ...]
