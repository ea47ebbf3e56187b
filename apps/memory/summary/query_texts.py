"""The retrieval queries of the summary description; the wording is the paper's (appendix A)."""


def core_characteristics_query(name: str) -> str:
    """Return the query for the core characteristics of the agent of the full name."""
    return f"{name}'s core characteristics"


def daily_occupation_query(name: str) -> str:
    """Return the query for the daily occupation of the agent."""
    return f"{name}'s current daily occupation"


def recent_progress_query(name: str) -> str:
    """Return the query for the agent's feeling about its progress."""
    return f"{name}'s feeling about their recent progress in life"
