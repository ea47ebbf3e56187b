"""Whom a name that nobody in town has may have been meant for."""

from collections.abc import Collection, Iterable
from difflib import get_close_matches
from typing import ClassVar

from apps.kernel.errors import NotFound
from apps.kernel.names import either, slug_of

WORDS_CHARACTERS_MAX = 120
NEAR_MAX = 5
# Lower, and people are offered who have little in common with the name but its length.
LIKENESS_MIN = 0.8


class AgentUnknown(NotFound):
    """The simulation has nobody of that name."""

    code: ClassVar[str] = "agent-unknown"

    def __init__(self, words: str, people: Iterable[str]) -> None:
        """Keep whom of the people in town, by slug, the words may have been meant for."""
        shown = words[:WORDS_CHARACTERS_MAX]
        self.near = near_to(shown, sorted(people))
        mend = (
            f"did you mean {either(self.near)}?"
            if self.near
            else "GET …/agents lists the people"
        )
        super().__init__(f"nobody in town is called {shown!r}; {mend}")


def near_to(words: str, slugs: Collection[str]) -> tuple[str, ...]:
    """Return whose slug the words become, or who has them all in theirs, or has one like it."""
    slug = slug_of(words)
    if not slug:
        return ()
    if slug in slugs:
        return (slug,)
    asked = set(slug.split("-"))
    found = [one for one in slugs if asked <= set(one.split("-"))]
    like = found or get_close_matches(slug, slugs, n=NEAR_MAX, cutoff=LIKENESS_MIN)
    return tuple(like[:NEAR_MAX])


def agent_named_first(text: str, names: Iterable[tuple[str, str]]) -> str:
    """Return the slug of the agent whose name the text begins with, "" if none.

    `names` are slugs and full names.
    """
    return next((slug for slug, name in names if text.startswith(f"{name} ")), "")
