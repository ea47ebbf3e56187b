"""Names of the tree as English: articles and plurals (5.1); plain strings."""

_MASS_NOUNS = ("seating", "furniture", "equipment")
_VOWELS = "aeiou"
_RELATIVE = "behind "


def definite(name: str) -> str:
    """Return the name as something known: "the stove", "Hobbs Cafe", "the mill"."""
    if _is_proper(name) or name.startswith("the "):
        return name
    if name.startswith(_RELATIVE):
        return f"the place {name}"
    return f"the {name}"


def indefinite(name: str) -> str:
    """Return the name as something new: "a stove", "an easel", "tables", "Hobbs Cafe"."""
    if _is_proper(name) or _is_uncountable(name):
        return name
    if name.startswith(_RELATIVE):
        return f"a place {name}"
    return f"an {name}" if name[0].lower() in _VOWELS else f"a {name}"


def there_is(name: str) -> str:
    """Return "there is a stove", "there are tables", "there is customer seating"."""
    return f"there {'are' if _is_plural(name) else 'is'} {indefinite(name)}"


def inside(area: str, place: str) -> str:
    """Return the area as part of its place: "the kitchen of Hobbs Cafe"."""
    return f"{definite(area)} {'in' if _is_proper(area) else 'of'} {definite(place)}"


def counted(number: int) -> str:
    """Return how many people: "one person", "16 people"."""
    small = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
    word = small[number] if number < len(small) else str(number)
    return f"{word} {'person' if number == 1 else 'people'}"


def _is_proper(name: str) -> bool:
    return name[:1].isupper()


def _is_uncountable(name: str) -> bool:
    return _is_plural(name) or _head(name).endswith(_MASS_NOUNS)


def _is_plural(name: str) -> bool:
    head = _head(name)
    return head.endswith("s") and not head.endswith("ss")


def _head(name: str) -> str:
    """Return the word that the name turns on: "desk" of "desk with a computer"."""
    for joint in (" with ", " of ", " for "):
        name = name.partition(joint)[0]
    return "" if name.startswith(_RELATIVE) else name.split(" ")[-1]
