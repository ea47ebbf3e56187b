"""Names of nodes in text, in English with articles (5.1)."""

from collections.abc import Sequence

from apps.kernel.language import phrase

_RELATIVE = "behind "


def definite(name: str) -> str:
    """Return the name with a definite article: "the stove", "Hobbs Cafe", "the mill"."""
    if _is_proper(name) or name.startswith("the "):
        return name
    if name.startswith(_RELATIVE):
        return phrase("the place {name}", name=name)
    return phrase("the {name}", name=name)


def inside(area: str, place: str) -> str:
    """Return the area as part of its place: "the kitchen of Hobbs Cafe"."""
    nouns = {"area": definite(area), "place": definite(place)}
    if _is_proper(area):
        return phrase("{area} in {place}", **nouns)
    return phrase("{area} of {place}", **nouns)


def noun_of(names: Sequence[str], *, within: str = "") -> str:
    """Return a path as a noun: "the stove in the kitchen of Hobbs Cafe".

    An area of the place `within` has its own name only: "the bathroom".
    """
    if len(names) == 1:
        return definite(names[0])
    area = definite(names[1]) if names[0] == within else inside(names[1], names[0])
    if len(names) == 2:
        return area
    return phrase("{object} in {area}", object=definite(names[2]), area=area)


def _is_proper(name: str) -> bool:
    return name[:1].isupper()
