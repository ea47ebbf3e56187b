"""The two pieces of news of Smallville that the paper follows (7.1)."""

import re

from apps.evaluation.social.news import News

PARTY = News(
    name="party",
    origin="isabella-rodriguez",
    topic=re.compile(r"\bparty\b", re.IGNORECASE),
    about=re.compile(r"\b(?:Isabella|Valentine|Hobbs Cafe)\b", re.IGNORECASE),
)
CANDIDACY = News(
    name="candidacy",
    origin="sam-moore",
    topic=re.compile(r"\b(?:mayor|candida\w+|election)\b", re.IGNORECASE),
    about=re.compile(r"\bSam(?: Moore)?\b.*\b(?:run|runs|running|candida\w+)\b", re.IGNORECASE),
    # The description of an agent that has not heard of it asks so.
    asks=re.compile(
        r"\bwho (?:will|is going to) run for mayor(?: in the(?: local)? election)?",
        re.IGNORECASE,
    ),
)
