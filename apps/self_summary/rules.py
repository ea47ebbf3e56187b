"""How a summary description is put together, and its bounds; plain Python (S1)."""

from collections.abc import Iterable

from apps.agents.identity import Identity

SUMMARY_CHARACTERS_MAX = 800


def summary_text(identity: Identity, parts: Iterable[str]) -> str:
    """Return the summary description as prompts have it: identity, then what is known.

    Name, age and traits stand before the three summaries (paper, appendix A); a summary
    that says nothing leaves no empty line.
    """
    lines = (
        f"Name: {identity.name} (age: {identity.age})",
        f"Innate traits: {', '.join(identity.traits)}" if identity.traits else "",
        *(part.strip() for part in parts),
    )
    return "\n".join(line for line in lines if line)
