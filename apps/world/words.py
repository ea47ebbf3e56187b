"""Names of the tree as English: articles and plurals (5.1); plain strings."""

_RELATIVE = "behind "


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


def _is_proper(name: str) -> bool:
    return name[:1].isupper()
