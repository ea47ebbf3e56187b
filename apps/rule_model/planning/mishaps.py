"""What is done about fire, water and damage (stand-in, not a language model)."""

import re

from apps.planning.words import doing
from apps.rule_model.planning.eating import MEALS
from apps.rule_model.planning.vocabulary import Activity, Step, activity, hour

_COOKERS = ("stove", "oven", "cooker", "toaster")


def _remade_meal(cooker: str) -> Activity:
    return activity(
        f"meal made anew after the {cooker} has burned",
        rf"\bturn off the {cooker} and make \w+ anew",
        hour(
            f"turn off the {cooker} and make {{thing}} anew",
            f"turning off the burning {cooker} 5; making {{thing}} anew at the {cooker} 10; "
            "eating {thing} 10",
            ordered=True,
        ),
        things=f"{MEALS}, supper",
    )


REMADE_MEALS = tuple(_remade_meal(cooker) for cooker in _COOKERS)

# What is seen to may be anything: its name must not be taken for what is done with it on
# other days, as "coffee" in "mend the broken coffee machine".
_REMEDY = re.compile(
    r"^(?:(?:fetch tools and )?(?:mend|repair|fix) (?:the|his|her|their) |unclog the |"
    r"wipe up what is spilled |turn off the water at the |put out the fire |see to the |"
    r"get the .+ to move again$)"
)
_WITH_TOOLS = re.compile(r"^(?:fetch tools and )?(?P<mends>(?:mend|repair|fix) .+)$")
TOOL_MINUTES = 5
MENDING_MINUTES = 15


def is_remedy(text: str) -> bool:
    """Say whether the words tell what is done about something that is out of order."""
    return _REMEDY.match(text) is not None


def mending_in(text: str, minutes: int) -> list[Step]:
    """Return the steps of mending something, empty where nothing is mended."""
    mended = _WITH_TOOLS.match(text) if is_remedy(text) else None
    if mended is None:
        return []
    mending, fetching = doing(mended["mends"]), Step("fetching tools", TOOL_MINUTES)
    left = minutes - TOOL_MINUTES
    if left <= MENDING_MINUTES + TOOL_MINUTES:
        return [fetching, Step(mending, max(left, TOOL_MINUTES))]
    times, rest = divmod(left - TOOL_MINUTES, MENDING_MINUTES)
    lengths = [MENDING_MINUTES] * times + ([rest] if rest else [])
    steps = [Step(mending, length) for length in lengths]
    return [fetching, *steps, Step("putting the tools away", TOOL_MINUTES)]
