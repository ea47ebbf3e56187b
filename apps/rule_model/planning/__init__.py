"""Planning by rules: one function for each task, which takes the task's typed input."""

from collections.abc import Callable
from functools import partial
from typing import Any

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
from apps.rule_model.content import Content
from apps.rule_model.model import TaskRule
from apps.rule_model.planning.details import action_detail
from apps.rule_model.planning.hours import hourly_plan
from apps.rule_model.planning.outline import day_outline
from apps.rule_model.planning.own_thought import own_thought
from apps.rule_model.planning.revision import revised_hours
from apps.rule_model.planning.rooms import area_choices, object_choices
from apps.rule_model.planning.staging import stagings

_RULES: dict[str, Callable[..., Any]] = {
    DAY_OUTLINE.name: day_outline,
    HOURLY_PLAN.name: hourly_plan,
    REVISED_HOURS.name: revised_hours,
    OWN_THOUGHT.name: own_thought,
    ACTION_DETAIL.name: action_detail,
    AREA_CHOICE.name: area_choices,
    OBJECT_CHOICE.name: object_choices,
    STAGING.name: stagings,
}


def task_rules(content: Content) -> dict[str, TaskRule]:
    """Return the rule of each task of planning, with the vocabulary of the content."""
    return {name: partial(rule, content=content) for name, rule in _RULES.items()}
