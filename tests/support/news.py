"""The two pieces of news of Smallville that the paper follows (7.1)."""

import re

from apps.evaluation.news_searches.llm_tasks import (
    HoldingMemory,
    NewsExtent,
    NewsVerification,
)
from apps.evaluation.social.news import news_told_by

_PARTY = re.compile(r"\bparty\b", re.IGNORECASE)
_HOST = re.compile(r"\b(?:Isabella|Valentine|Hobbs Cafe)\b", re.IGNORECASE)
_OFFICE = re.compile(r"\b(?:mayor|candida\w+|election)\b", re.IGNORECASE)
_CANDIDATE = re.compile(
    r"\bSam(?: Moore)?\b.*\b(?:run|runs|running|candida\w+)\b", re.IGNORECASE
)
# The description of an agent that has not heard of it asks so.
_ASKS = re.compile(
    r"\bwho (?:will|is going to) run for mayor(?: in the(?: local)? election)?", re.IGNORECASE
)


def _tells_of_candidacy(text: str) -> bool:
    told = _ASKS.sub("", text)
    return bool(_OFFICE.search(told) and _CANDIDATE.search(told))


PARTY = news_told_by("party", lambda text: bool(_PARTY.search(text) and _HOST.search(text)))
CANDIDACY = news_told_by("candidacy", _tells_of_candidacy)
NO_SUCH_MEMORY = NewsVerification(
    knows=True,
    held=(HoldingMemory(memory=999, extent=NewsExtent.PART, reason="so it seems"),),
)
"""An answer that stays invalid."""
ORIGINS = {PARTY.name: "isabella-rodriguez", CANDIDACY.name: "sam-moore"}
"""The agents with which each began, by its name."""
