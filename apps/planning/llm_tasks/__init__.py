"""The LLM tasks of planning."""

from apps.planning.llm_tasks.action_detail import ACTION_DETAIL
from apps.planning.llm_tasks.area_choice import AREA_CHOICE
from apps.planning.llm_tasks.day_outline import DAY_OUTLINE
from apps.planning.llm_tasks.hourly_plan import HOURLY_PLAN
from apps.planning.llm_tasks.object_choice import OBJECT_CHOICE
from apps.planning.llm_tasks.own_thought import OWN_THOUGHT
from apps.planning.llm_tasks.revised_hours import REVISED_HOURS
from apps.planning.llm_tasks.staging import STAGING

LLM_TASKS = (
    DAY_OUTLINE,
    HOURLY_PLAN,
    REVISED_HOURS,
    OWN_THOUGHT,
    ACTION_DETAIL,
    AREA_CHOICE,
    OBJECT_CHOICE,
    STAGING,
)

__all__ = [
    "ACTION_DETAIL",
    "AREA_CHOICE",
    "DAY_OUTLINE",
    "HOURLY_PLAN",
    "LLM_TASKS",
    "OBJECT_CHOICE",
    "OWN_THOUGHT",
    "REVISED_HOURS",
    "STAGING",
]
