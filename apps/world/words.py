"""Names of the tree as English: articles, plurals and lists (5.1); plain strings."""

from collections.abc import Sequence

_RELATIVE = "behind "


def listed(items: Sequence[str]) -> str:
    """Return "a, b and c"."""
    if len(items) < 2:
        return "".join(items)
    return ", ".join(items[:-1]) + " and " + items[-1]


def definite(name: str) -> str:
    """Return the name as something known: "the stove", "Hobbs Cafe", "the mill"."""
    if _is_proper(name) or name.startswith("the "):
        return name
    if name.startswith(_RELATIVE):
        return f"the place {name}"
    return f"the {name}"


def inside(area: str, place: str) -> str:
    """Return the area as part of its place: "the kitchen of Hobbs Cafe"."""
    return f"{definite(area)} {'in' if _is_proper(area) else 'of'} {definite(place)}"


def clock(minute: int) -> str:
    """Return a minute of the day as people say it: 480 -> "8:00 am"."""
    hour, past = divmod(minute % 1_440, 60)
    return f"{hour % 12 or 12}:{past:02d} {'am' if hour < 12 else 'pm'}"


def _is_proper(name: str) -> bool:
    return name[:1].isupper()
