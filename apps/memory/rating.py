"""The importance of memories that are not rated yet, by the model (M3, ADR 30)."""

from collections.abc import Sequence

from apps.agents.identity import Identity
from apps.llm.calls.agent_llm import AgentLLM
from apps.memory.inputs import ImportanceInput, RatedExample, UnratedMemory
from apps.memory.llm_tasks.importance import IMPORTANCE
from apps.memory.rules import MEMORIES_PER_REQUEST_MAX


def rate_memories(
    llm: AgentLLM,
    agent: Identity,
    memories: Sequence[UnratedMemory],
    anchors: Sequence[RatedExample] = (),
    *,
    lasting: Sequence[str] = (),
) -> dict[int, int]:
    """Return the importance of each memory, 1 to 10, by its number.

    `anchors` are memories that the agent has rated before, to compare with; `lasting` are
    sentences of its lasting facts that matter most to it.

    It is one call, or several together for more than MEMORIES_PER_REQUEST_MAX.
    """
    requests = [
        ImportanceInput(
            agent_name=agent.name,
            age=agent.age,
            traits=agent.traits,
            lasting=tuple(lasting),
            anchors=tuple(anchors),
            memories=tuple(memories[first : first + MEMORIES_PER_REQUEST_MAX]),
        )
        for first in range(0, len(memories), MEMORIES_PER_REQUEST_MAX)
    ]
    if not requests:
        return {}
    answers = llm.ask_together([(IMPORTANCE, request) for request in requests])
    ratings = (rating for answer in answers for rating in answer.importances)
    return {memory.number: rating for memory, rating in zip(memories, ratings, strict=True)}
