"""The words of a planned activity: its progress form, what it is done to, and its furniture."""

import re
from dataclasses import dataclass

from apps.rule_model.content import Activity
from apps.rule_model.language.grammar import in_progress
from apps.rule_model.language.words import patterns

_PATTERNS = patterns("wording")


@dataclass(frozen=True, slots=True)
class Wording:
    """What the placeholders of an activity's hours stand for."""

    doing: str
    thing: str
    meal: str

    def fill(self, text: str) -> str:
        """Return the text with its placeholders filled in."""
        return _PATTERNS["placeholders"].sub(lambda match: getattr(self, match[1]), text)


def wording_of(activity: str, kind: Activity) -> Wording:
    """Return the words of a planned activity (an infinitive) of that kind."""
    match = kind.cues.search(activity)
    groups = match.groupdict() if match else {}
    plain = without_place(groups.get("doing") or activity)
    goes_on = _PATTERNS["go_on"].match(plain)
    doing = plain[goes_on.end() :] if goes_on else in_progress(plain)
    meal = _PATTERNS["meals"].search(activity)
    return Wording(
        doing=doing,
        thing=groups.get("thing") or _thing_in(doing, activity, kind),
        meal=meal[1].lower() if meal else "the meal",
    )


def without_place(activity: str) -> str:
    """Return the activity without the place at its end; the furniture stays."""
    return _PATTERNS["place"].sub("", activity).strip()


def seat_in(text: str) -> str:
    """Return the furniture that the words name, such as "at the desk", "" for none."""
    match = _PATTERNS["seat"].search(text)
    return "" if match is None else match["seat"]


def seated(text: str, activity: str) -> str:
    """Return the text with the furniture that the activity names: "read a book on the sofa"."""
    seat = seat_in(activity)
    return text if not seat or seat_in(text) else f"{text} {seat}"


def without_seat(text: str) -> str:
    """Return the words before the furniture."""
    return _PATTERNS["seat"].sub("", text)


def without_furniture(action: str) -> str:
    """Return the action without the furniture that it ends with."""
    return _PATTERNS["at_the_end"].sub("", action)


def placed(action: str, activity: str) -> str:
    """Return the action at the furniture and the counter that the planned activity names."""
    seat = seat_in(activity)
    if seat and _PATTERNS["at_hand"].search(action):
        action = _PATTERNS["at_hand"].sub(seat, action)
    elif seat and seat not in action:
        is_sitting = _PATTERNS["sitting"].search(action) or seat.startswith("in ")
        action = (
            f"{action} {seat}"
            if is_sitting and not _PATTERNS["anywhere"].search(action)
            else action
        )
    counter = _PATTERNS["counter"].search(activity)
    return (
        action if counter is None else re.sub(r"\bthe counter\b", f"the {counter[1]}", action)
    )


def _thing_in(doing: str, activity: str, kind: Activity) -> str:
    named = next((thing for thing in kind.things if thing.lower() in activity.lower()), "")
    if kind.things:
        return f"the {named or kind.things[0]}"
    match = _PATTERNS["thing"].match(doing)
    return re.sub(r"^(?:an?|some) ", "the ", match["thing"]) if match else "the work"
