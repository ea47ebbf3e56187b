"""Carries the furniture that a plan names down into the few-minute actions (stand-in)."""

import re

_SEAT = re.compile(
    r" ((?:at|on) the (?:desk with a computer|dining table|table|desk|sofa|piano|easel|"
    r"blackboard)|in the (?:common room|living room|kitchen))\b.*"
)
_AT_HAND = re.compile(r"\b(?:at|on) (?:the|a) (?:desk|table)\b")
_AT_THE_END = re.compile(
    r" (?:(?:at|on) (?:the|a) (?:desk with a computer|dining table|table|desk|bench|sofa|piano|"
    r"easel|blackboard|laptop)|in the (?:common room|living room|kitchen|books at hand)|"
    r"(?:from|on) the (?:bag|shelf|bookshelves)|on a computer)$"
)
_SITTING = re.compile(
    r"^(?:reading|writing|rewriting|drawing|sketching|leafing|taking notes|making notes|"
    r"eating|choosing|comparing|crossing|mending|marking|sorting|checking|listing|skimming|"
    r"noting|underlining|copying|going on|adding|thinking about|keeping a sentence)\b"
)
_ANYWHERE = re.compile(r"\b(?:at|on|from|in|behind|out of) (?:the|a)\b")
_COUNTER = re.compile(r"\bthe (\w+ counter)\b")
_PLAIN_COUNTER = re.compile(r"\bthe counter\b")


def seat_in(text: str) -> str:
    """Return the furniture that the words name, such as "at the desk", "" if none."""
    match = _SEAT.search(text)
    return "" if match is None else match[1]


def seated(text: str, step: str) -> str:
    """Return the text with the furniture that the step names: "read a book on the sofa"."""
    seat = seat_in(step)
    return text if not seat or seat_in(text) else f"{text} {seat}"


def without_seat(text: str) -> str:
    """Return the words before the furniture."""
    return _SEAT.sub("", text)


def without_furniture(text: str) -> str:
    """Return the words without the seat or place at hand that an action ends with."""
    return _AT_THE_END.sub("", text)


def at_seat(action: str, seat: str) -> str:
    """Return the action at the furniture that the plan names, where it is done at any."""
    if not seat:
        return action
    if _AT_HAND.search(action):
        return _AT_HAND.sub(seat, action)
    anywhere = _SITTING.search(action) or seat.startswith("in ")
    return f"{action} {seat}" if anywhere and not _ANYWHERE.search(action) else action


def at_counter(action: str, told: str) -> str:
    """Return the action with "the counter" called as the plan calls it: "the bar counter"."""
    named = _COUNTER.search(told)
    return action if named is None else _PLAIN_COUNTER.sub(f"the {named[1]}", action)
