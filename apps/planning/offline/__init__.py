"""The stand-in's answers for planning: rules, not a language model (L4).

They answer from a chain's typed input alone, so what a person does not know, remember or
see cannot be in their plans. What it is not: it understands nothing. It finds times,
places and kinds of work by patterns and fills the day from tables of activities; whoever
is described in words that the tables lack gets a plain day.
"""

from apps.llm.offline import OfflineAnswer
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
from apps.planning.offline.actions import action_detail
from apps.planning.offline.day import day_outline
from apps.planning.offline.hours import hourly_plan
from apps.planning.offline.looks import stagings
from apps.planning.offline.own_thoughts import own_thought
from apps.planning.offline.places import area_choices, object_choices
from apps.planning.offline.revising import revised_hours

OFFLINE_ANSWERS: dict[str, OfflineAnswer] = {
    DAY_OUTLINE.name: day_outline,
    HOURLY_PLAN.name: hourly_plan,
    REVISED_HOURS.name: revised_hours,
    OWN_THOUGHT.name: own_thought,
    ACTION_DETAIL.name: action_detail,
    AREA_CHOICE.name: area_choices,
    OBJECT_CHOICE.name: object_choices,
    STAGING.name: stagings,
}
