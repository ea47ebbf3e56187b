"""The variables of the sections that the prompts of several LLM tasks share (ADR 33)."""

from collections.abc import Sequence
from datetime import date

from apps.agents.phrases import agreement_text, planned_time_text, promise_text
from apps.agents.status import Agreement, PlannedTime, PromiseToTell
from apps.agents.summary import AgentSummary
from apps.kernel.language import noted, phrase
from apps.llm.prompts.values import PromptValue, agent_name, data, data_list, game_date

NO_OUTLINE = noted("(not made yet)")
# The latest activities of the day in a prompt; the earlier ones are in the plan.
PERFORMED_PRINTED_MAX = 4


def agent_variables(name: str, summary: AgentSummary | None) -> dict[str, PromptValue]:
    """Return the variables of the agent section; before the first summary it has the name."""
    return {
        "agent_name": agent_name(name),
        "summary": data(name if summary is None else summary.text),
    }


def day_variables(
    day: date,
    outline: Sequence[PlannedTime],
    agreements: Sequence[Agreement],
    promises: Sequence[PromiseToTell] = (),
) -> dict[str, PromptValue]:
    """Return the variables of the day section; promises are listed with the agreements."""
    return {
        "date": game_date(day),
        "outline": (
            data_list(map(planned_time_text, outline)) if outline else data(phrase(NO_OUTLINE))
        ),
        "agreements": data_list(
            (*map(agreement_text, agreements), *map(promise_text, promises))
        ),
    }


def performed_texts(performed: Sequence[PlannedTime]) -> list[str]:
    """Return the latest performed activities of the day as lines, in order."""
    return [planned_time_text(one) for one in performed[-PERFORMED_PRINTED_MAX:]]
