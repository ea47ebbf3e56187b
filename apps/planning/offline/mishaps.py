"""What is done when a meal has caught fire on the stove (stand-in, not a language model)."""

from apps.planning.offline.eating import MEALS
from apps.planning.offline.vocabulary import Activity, activity, hour

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
