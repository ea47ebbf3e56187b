"""The retrieval queries of an interview, besides its question (U1)."""

from apps.kernel.language import phrase


def identity_query(name: str) -> str:
    """Return the query for the memories about the agent of the full name itself."""
    return phrase(
        "who {name} is: what {name} does, studies or owns, who {name} lives with, "
        "what {name} likes and loves",
        name=name,
    )


def persona_query(name: str, persona: str) -> str:
    """Return the query for what the agent knows of the interviewer."""
    return phrase("What does {name} know of {persona}?", name=name, persona=persona)


def recent_query(name: str) -> str:
    """Return the query for what the agent has done of late."""
    return phrase("what {name} has lately done, thought and talked about", name=name)
