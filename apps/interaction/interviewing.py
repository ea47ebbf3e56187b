"""Interviews: a question to an agent as of a tick, and its answer (U1).

Nothing is written but the model call: no event, no memory, no retrieval (design 5).
"""

from dataclasses import dataclass

from apps.interaction.context import Interview, InterviewContext, Used
from apps.interaction.llm_tasks.answer import ANSWER
from apps.llm.cleaning import in_one_line
from apps.llm.opening import open_agent_llm
from apps.simulation import queries
from apps.simulation.ports import Ports, constants_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What was answered, from which memories, by which model calls."""

    answer: str
    used: tuple[Used, ...]
    model_calls: tuple[str, ...]


def ask(ports: Ports, interview: Interview) -> Answered:
    """Put the question to the model. Holds no connection while a remote one thinks.

    :raises BudgetSpent: if the simulation has used as much as it may (L5).
    :raises ModelUnavailable: if the model stays away.
    """
    constants = constants_of(interview.simulation_id, ports.worlds_root)
    spec = queries.model_of(interview.simulation_id)
    llm = open_agent_llm(
        simulation_id=interview.simulation_id,
        tick=interview.as_of_tick,
        stream=interview.agent,
        models=ports.open_models(spec, constants.seed),
        first_ordinal=interview.number,
    )
    context = InterviewContext(constants, interview, llm)
    used = context.retrieve()
    answer = llm.ask(ANSWER, context.input(used))
    return Answered(
        answer=in_one_line(answer.answer),
        used=used,
        model_calls=llm.calls,
    )
