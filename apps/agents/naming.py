"""Unknown names of agents, with similar ones, and names at the beginning of texts."""

from collections.abc import Collection, Iterable
from difflib import get_close_matches

from apps.kernel.errors import NotFound
from apps.kernel.names import either, slug_of

WORDS_CHARACTERS_MAX = 120
NEAR_MAX = 5
# The least likeness (difflib) of a suggested name.
LIKENESS_MIN = 0.8


class AgentUnknown(NotFound):
    """The simulation has no agent of that name."""

    def __init__(self, words: str, slugs: Iterable[str]) -> None:
        """Look for similar names among the slugs, as the hint."""
        shown = words[:WORDS_CHARACTERS_MAX]
        self.near = near_to(shown, sorted(slugs))
        hint = (
            f"did you mean {either(self.near)}?"
            if self.near
            else "GET …/agents lists the agents"
        )
        super().__init__(f"there is no agent {shown!r}; {hint}")


def near_to(words: str, slugs: Collection[str]) -> tuple[str, ...]:
    """Return the slug of the words, else slugs with all of the words, else similar slugs."""
    slug = slug_of(words)
    if not slug:
        return ()
    if slug in slugs:
        return (slug,)
    near = slugs_with_words(slug, slugs)
    near = near or get_close_matches(slug, slugs, n=NEAR_MAX, cutoff=LIKENESS_MIN)
    return tuple(near[:NEAR_MAX])


def slugs_with_words(slug: str, slugs: Iterable[str]) -> list[str]:
    """Return those of the slugs that have all words of a slug: "tom" is in "tom-moreno"."""
    words = set(slug.split("-"))
    return [one for one in slugs if words <= set(one.split("-"))]


def agent_named_first(text: str, names: Iterable[tuple[str, str]]) -> str:
    """Return the slug of the name at the beginning of the text, "" without one.

    `names` are slugs and full names.
    """
    return next((slug for slug, name in names if text.startswith(f"{name} ")), "")
