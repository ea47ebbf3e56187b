"""The stand-in's answers for planning: rules, not a language model (L4).

They answer from a chain's typed input alone, so what a person does not know, remember or
see cannot be in their plans. What it is not: it understands nothing. It finds times,
places and kinds of work by patterns and fills the day from tables of activities; whoever
is described in words that the tables lack gets a plain day.
"""

from apps.planning.chains import (
    ACTION_DETAIL,
    AREA_CHOICE,
    DAY_OUTLINE,
    HOURLY_PLAN,
    OBJECT_CHOICE,
    OWN_THOUGHT,
    REVISED_HOURS,
    STAGING,
)
from apps.rule_model.model import TaskRule
from apps.rule_model.planning.actions import action_detail
from apps.rule_model.planning.day import day_outline
from apps.rule_model.planning.hours import hourly_plan
from apps.rule_model.planning.looks import stagings
from apps.rule_model.planning.own_thoughts import own_thought
from apps.rule_model.planning.places import area_choices, object_choices
from apps.rule_model.planning.revising import revised_hours

TASK_RULES: dict[str, TaskRule] = {
    DAY_OUTLINE.name: day_outline,
    HOURLY_PLAN.name: hourly_plan,
    REVISED_HOURS.name: revised_hours,
    OWN_THOUGHT.name: own_thought,
    ACTION_DETAIL.name: action_detail,
    AREA_CHOICE.name: area_choices,
    OBJECT_CHOICE.name: object_choices,
    STAGING.name: stagings,
}
