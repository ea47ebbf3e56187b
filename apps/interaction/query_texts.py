"""The retrieval queries of an interview, besides its question (U1)."""


def identity_query(name: str) -> str:
    """Return the query for the memories about the agent of the full name itself."""
    return (
        f"who {name} is: what {name} does, studies or owns, who {name} lives with, "
        f"what {name} likes and loves"
    )


def persona_query(name: str, persona: str) -> str:
    """Return the query for what the agent knows of the interviewer."""
    return f"What does {name} know of {persona}?"


def recent_query(name: str) -> str:
    """Return the query for what the agent has done of late."""
    return f"what {name} has lately done, thought and talked about"
