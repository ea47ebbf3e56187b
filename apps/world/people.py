"""A person as people.yaml describes it."""

from dataclasses import dataclass

AGE_MAX = 150
TRAITS_MAX = 100
TRAIT_CHARACTERS_MAX = 120
DESCRIPTION_CHARACTERS_MAX = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonHours:
    """The usual times of a person, in minutes after midnight.

    `sleep` is larger than `wake`, past 1,440 if it is after midnight.
    """

    wake: int
    sleep: int
    dinner: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """The profile of an agent (S1, W3).

    `home` is the path of an area, `bed` of an object, `workplace` of any node. `knows` are
    paths in the tree's order with their ancestors. The phrases of the description between
    semicolons become seed memories (U5).
    """

    name: str
    slug: str
    age: int
    traits: tuple[str, ...]
    description: str
    home: str
    bed: str
    workplace: str | None
    hours: PersonHours
    knows: tuple[str, ...]

    @property
    def seeds(self) -> tuple[str, ...]:
        """The phrases of the description, one seed memory each."""
        return seed_phrases(self.description)


def seed_phrases(description: str) -> tuple[str, ...]:
    """Return the phrases between the semicolons, without empty ones (U5)."""
    phrases = (" ".join(phrase.split()) for phrase in description.split(";"))
    return tuple(phrase for phrase in phrases if phrase)
