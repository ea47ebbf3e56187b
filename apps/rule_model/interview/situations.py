"""What somebody would do if… (stand-in, not a language model)."""

import re

from apps.rule_model.interview.matter import Matter
from apps.rule_model.interview.others import nearest
from apps.rule_model.reading.names import first_name
from apps.rule_model.reading.topics import place_in

_SHOP = re.compile(r"\b(?:Market|Store|Supply|Shop|Grocer\w*)\b")
_EATERY = re.compile(r"\b(?:Cafe|Café|Pub|Restaurant|Bar)\b")
_COOKING = re.compile(r"\b(?P<meal>breakfast|lunch|dinner|supper|food|toast|stove|pan)\b", re.I)
_MEALS = frozenset({"breakfast", "lunch", "dinner", "supper"})


def what_then(matter: Matter) -> str:
    """Tell what one would do about a mishap."""
    asked = matter.question.lower()
    told = (deal(matter, asked) for pattern, deal in _MISHAPS if pattern.search(asked))
    return next(told, "I don't know. I'd have to see it first.")


def passing_by(matter: Matter) -> str:
    """Tell what one would say to a friend in the street."""
    names = nearest(matter)
    if not names:
        return "I'd say hello, and ask how things are."
    friend = first_name(names[0])
    return (
        f'If it is {friend}, I\'d say: "Hi {friend}, good to see you! How is your day going?" '
        "And then I'd tell what is new with me."
    )


def _fire(_: Matter, asked: str) -> str:
    if re.search(r"\b(?:street|house|building|town)\b", asked):
        return "I'd warn everybody who is near, call for help, and put it out if that is safe."
    cooking = _COOKING.search(asked)
    if cooking is None:
        return "I'd put it out at once, and call for help if it gets too big."
    meal = cooking["meal"] if cooking["meal"] in _MEALS else "the meal"
    return f"I'd turn off the stove at once, open a window, and then make {meal} anew."


def _nothing_to_eat(matter: Matter, _: str) -> str:
    places = [place for told in matter.told if (place := place_in(told.core))]
    shop = next((place for place in places if _SHOP.search(place)), "")
    eatery = next((place for place in places if _EATERY.search(place)), "")
    if shop:
        return f"I'd go to {shop} and buy what I need."
    if eatery:
        return f"I'd have something to eat at {eatery} instead."
    return "I'd go and buy groceries before it gets late, or ask a neighbor for a bite."


def _in_the_way(_matter: Matter, _asked: str) -> str:
    return "I'd wait a little, and if it takes long I'd do something else first."


def _water(_matter: Matter, _asked: str) -> str:
    return "I'd turn off the water, mop it up, and fetch tools to mend it."


def _damage(_matter: Matter, _asked: str) -> str:
    return "I'd look whether I can mend it myself, and ask for help if I can't."


def _met(matter: Matter, _: str) -> str:
    return passing_by(matter)


# The first that is found says what is the matter.
_MISHAPS = tuple(
    (re.compile(pattern), deal)
    for pattern, deal in (
        (r"\b(?:burning|on fire|burns|fire|smoke)\b", _fire),
        (r"\b(?:occupied|taken|locked)\b", _in_the_way),
        (r"\b(?:empty|run out|no food)\b", _nothing_to_eat),
        (r"\b(?:leak|drip|flood|overflow)\w*", _water),
        (r"\b(?:broken|broke)\b", _damage),
        (r"\b(?:walking by|run into|meet)\b", _met),
    )
)
