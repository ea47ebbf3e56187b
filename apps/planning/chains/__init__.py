"""The questions that planning asks of the model: one file, one call, one typed answer."""

from apps.planning.chains.action_detail import ACTION_DETAIL
from apps.planning.chains.area_choice import AREA_CHOICE
from apps.planning.chains.day_outline import DAY_OUTLINE
from apps.planning.chains.hourly_plan import HOURLY_PLAN
from apps.planning.chains.object_choice import OBJECT_CHOICE
from apps.planning.chains.own_thought import OWN_THOUGHT
from apps.planning.chains.revised_hours import REVISED_HOURS
from apps.planning.chains.staging import STAGING

CHAINS = (
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
    "CHAINS",
    "DAY_OUTLINE",
    "HOURLY_PLAN",
    "OBJECT_CHOICE",
    "OWN_THOUGHT",
    "REVISED_HOURS",
    "STAGING",
]
