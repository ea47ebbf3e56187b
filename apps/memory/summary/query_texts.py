"""The retrieval queries of the summary description; the wording is the paper's (appendix A)."""

from apps.kernel.language import phrase


def core_characteristics_query(name: str) -> str:
    """Return the query for the core characteristics of the agent of the full name."""
    return phrase("{name}'s core characteristics", name=name)


def daily_occupation_query(name: str) -> str:
    """Return the query for the daily occupation of the agent."""
    return phrase("{name}'s current daily occupation", name=name)


def recent_progress_query(name: str) -> str:
    """Return the query for the agent's feeling about its progress."""
    return phrase("{name}'s feeling about their recent progress in life", name=name)
