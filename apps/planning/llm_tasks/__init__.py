"""The LLM tasks of planning."""

from apps.planning.llm_tasks.day_outline import DAY_OUTLINE
from apps.planning.llm_tasks.hour_actions import HOUR_ACTIONS
from apps.planning.llm_tasks.hourly_plan import HOURLY_PLAN
from apps.planning.llm_tasks.own_thought import OWN_THOUGHT
from apps.planning.llm_tasks.revised_hours import REVISED_HOURS

LLM_TASKS = (
    DAY_OUTLINE,
    HOURLY_PLAN,
    REVISED_HOURS,
    OWN_THOUGHT,
    HOUR_ACTIONS,
)
