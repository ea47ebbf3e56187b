"""The word lists of the counting rules, in one place, and the stems of words.

Utterances, thoughts and plans are free text: what cannot be read from types is recognised by
these English phrases.
"""

import re
from collections.abc import Iterable

_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?", re.IGNORECASE)
_CLOCK = re.compile(r"\b(\d{1,2})(?::(\d{2}))?\s*([ap])m\b", re.IGNORECASE)
_NOON = 12

# Said to somebody whom one does not know.
STRANGERS_GREETING = re.compile(
    r"\b(?:(?:don't|do not) (?:think|believe) we(?:'ve| have) (?:ever )?met"
    r"|(?:we )?(?:haven't|have not) (?:been introduced|met)|have we met"
    r"|(?:nice|good|glad|pleased|lovely|great) to meet you|my name is|let me introduce myself"
    r"|(?:are )?you(?:'re| are)? new (?:here|in town)|who are you)\b",
    re.IGNORECASE,
)

# The end of a talk, and within it the announcement that the speaker leaves.
DEPARTURE = re.compile(
    r"\b(?:I(?:'ve| have)? (?:really )?(?:have to|got to|need to|must|ought to|should)"
    r"|I(?:'d| had) better|(?:have|got|need) to|I'm) (?:really )?"
    r"(?:go(?: now)?|get going|get on(?: now)?|be off|be going|run|head (?:off|out|back)|leave"
    r"|going now|off now|leaving|get back)\b",
    re.IGNORECASE,
)
LEAVE_TAKING = re.compile(
    DEPARTURE.pattern + r"|\b(?:good ?bye|bye|(?<!to )see you|farewell|take care|good night"
    r"|have a (?:nice|good|great) (?:one|day|evening|time)|(?:talk|speak) to you (?:later|soon)"
    r"|until (?:later|then|tomorrow)"
    r"|(?:won't|will not) keep you|let you go)\b",
    re.IGNORECASE,
)

# Thoughts that claim a frequency.
OFTEN = re.compile(
    r"\b(?:often|frequently|regularly|usually|always|all the time|every day"
    r"|a (?:good deal|lot) (?:of time|to say|to talk)|got used to having"
    r"|keeps? (?:running into|meeting))\b",
    re.IGNORECASE,
)
TALKING = re.compile(
    r"\b(?:talk|talks|talking|speak|speaks|say|says|chat|chats|discuss|discusses"
    r"|conversations?|tells?)\b",
    re.IGNORECASE,
)

# Work that goes on, and time that is filled for want of a purpose.
GOING_ON = re.compile(r"^(?:go on|keep|continue|work on|carry on)\b", re.IGNORECASE)
FILLER = re.compile(
    r"\b(?:free time|easy hour|check the news|do some chores|quiet evening"
    r"|listen to music and relax|read a book|write (?:a letter|letters)|sew by the light"
    r"|think the day over|talk with whoever|relax|pass the time|rest a while)\b",
    re.IGNORECASE,
)
ROUTINE_SEGMENT = re.compile(
    r"\b(?:wake up|get (?:up|ready|dressed)|wash|breakfast|lunch|dinner|supper|meal|eat|sleep"
    r"|go to bed|bed)\b",
    re.IGNORECASE,
)

# An action that has a customer or a guest as its object.
SERVING = re.compile(r"\b(?:customers?|guests?|patrons?|shoppers?)\b", re.IGNORECASE)


_STOP_WORDS_TEXT = """
    a about after again all also an and any are around as at be been before behind but by
    can come comes could day do does each every everybody everyone for from get go goes
    going had has have having he her here hers him his how i if in into is it it's its just
    likes like live lives lot made make makes me more most my nearly new no not of off on
    once one or other others our out over own really she so some somebody take takes talk
    than that the their them then there they this time to today tomorrow too until up us
    very want wants was way we week well were what when where which while who whom will with
    would work works working year years you your yourself am pm
"""
_STOP_WORDS = frozenset(_STOP_WORDS_TEXT.split())
_ENDINGS = ("ing", "ers", "er", "ed", "es", "s", "e", "y")
_STEM_MIN = 3


def words_of(text: str) -> list[str]:
    """Return the words of the text in lower case, possessives without their ending."""
    return [word.lower().removesuffix("'s") for word in _WORD.findall(text)]


def stem_of(word: str) -> str:
    """Return the word without its ending, so that "copies" and "copying" are one."""
    word = f"{word[:-3]}y" if word.endswith("ies") and len(word) > len("ties") else word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _STEM_MIN:
            word = word.removesuffix(ending)
            break
    is_doubled = len(word) > _STEM_MIN and word[-1] == word[-2]
    word = word[:-1] if is_doubled else word
    return word[:-1] if word.endswith(("y", "e", "i")) and len(word) > _STEM_MIN else word


def stems_of(text: str, *, without: Iterable[str] = ()) -> frozenset[str]:
    """Return the stems of the content words, after the phrases `without` are taken out."""
    for phrase in sorted(without, key=len, reverse=True):
        text = text.replace(phrase, " ")
    words = (word for word in words_of(text) if word not in _STOP_WORDS and len(word) > 2)
    return frozenset(map(stem_of, words))


def clock_minutes(text: str) -> list[int]:
    """Return the times of day in the text in minutes after midnight: "8:30 am" is 510."""
    return [
        (int(hour) % _NOON + (_NOON if half.lower() == "p" else 0)) * 60 + int(minute or 0)
        for hour, minute, half in _CLOCK.findall(text)
    ]


def span_of(text: str) -> tuple[int, int] | None:
    """Return the first and the last time of day in the text, None without one.

    An end before the beginning is in the night that follows: it exceeds 1,440.
    """
    times = clock_minutes(text)
    if not times:
        return None
    begins, ends = times[0], times[-1]
    return begins, ends if ends >= begins else ends + 1_440


def introduces(text: str, name: str) -> bool:
    """Return whether the speaker of the full name greets as a stranger does."""
    own = re.search(rf"\b(?:I'm|I am|this is) {re.escape(name)}\b", text, re.IGNORECASE)
    return bool(own or STRANGERS_GREETING.search(text))
