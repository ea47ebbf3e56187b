"""The words of a planned activity: its progress form, what it is done to, and its furniture."""

import re
from dataclasses import dataclass

from apps.rule_model.content import Activity
from apps.rule_model.planning.inflection import in_progress

_MEALS = re.compile(r"\b(breakfast|lunch|dinner|supper|midday meal)\b", re.IGNORECASE)
_OWNER = r"(?:the|a|an|his|her|their|[A-Z]\w+'s)"
_FURNITURE = (
    rf"(?:at|on|by) {_OWNER} (?:\w+ )?(?:desk(?: with an? \w+)?|table|sofa|piano|easel|"
    r"blackboard|lectern|altar|loom|anvil|bench|stalls|hearth|oven|stove|computer|console)"
)
_SEAT = re.compile(rf" (?P<seat>{_FURNITURE}|in the (?:common room|living room|kitchen))\b.*")
_AT_HAND = re.compile(r"\b(?:at|on) (?:the|a) (?:desk|table)\b")
_AT_THE_END = re.compile(
    rf" (?:{_FURNITURE}|in the (?:common room|living room|kitchen|books at hand)"
    r"|(?:from|on) the (?:bag|shelf|bookshelves))$"
)
_SITTING = re.compile(
    r"^(?:read|writ|rewrit|draw|sketch|leaf|tak\w+ notes|mak\w+ notes|eat|choos|compar|cross|"
    r"mark|sort|check|list|skim|not|underlin|copy|go\w* on|add|think|rul|paint|stud)\w*"
)
_ANYWHERE = re.compile(r"\b(?:at|on|from|in|behind|out of) (?:the|a)\b")
_COUNTER = re.compile(r"\bthe (\w+ counter)\b")
# A proper name behind "in", "at" or "of" is where something is done.
_PLACE = re.compile(
    r"\s+(?:(?:in|at|of|through|to|around) (?:the )?(?:[a-z]+ ){0,3}(?:of|in) "
    r"(?:[Tt]he )?[A-Z].*"
    r"|(?:in|at) (?:[Tt]he )?[A-Z][\w']*(?: (?:and |of |the )*[A-Z][\w']*)*"
    r"(?:(?: \w+'s)? (?:house|apartment))?"
    r"|of (?:his|her|their) (?:house|home)"
    r"|in (?:his|her|their|the) (?:own )?(?:room|house|apartment|cell|dorm|home))$"
)
_PREPOSITIONS = (
    r"(?:at|in|on|from|to|for|with|by|behind|around|about|through|into|until|after|before|"
    r"again|near|under|over|as)"
)
_THING = re.compile(
    rf"^\w+(?: (?:up|out|down|off|on|back))? (?P<thing>(?!{_PREPOSITIONS}\b).+?)"
    rf"(?= {_PREPOSITIONS}\b| and\b|,|$)"
)
_GO_ON = re.compile(r"^(?:go on|continue|keep(?: on)?)(?: with)? (?=\w+ing\b)")
_PLACEHOLDERS = re.compile(r"\{(doing|thing|meal)\}")


@dataclass(frozen=True, slots=True)
class Wording:
    """What the placeholders of an activity's hours stand for."""

    doing: str
    thing: str
    meal: str

    def fill(self, text: str) -> str:
        """Return the text with its placeholders filled in."""
        return _PLACEHOLDERS.sub(lambda match: getattr(self, match[1]), text)


def wording_of(activity: str, kind: Activity) -> Wording:
    """Return the words of a planned activity (an infinitive) of that kind."""
    match = kind.cues.search(activity)
    groups = match.groupdict() if match else {}
    plain = without_place(groups.get("doing") or activity)
    goes_on = _GO_ON.match(plain)
    doing = plain[goes_on.end() :] if goes_on else in_progress(plain)
    meal = _MEALS.search(activity)
    return Wording(
        doing=doing,
        thing=groups.get("thing") or _thing_in(doing, activity, kind),
        meal=meal[1].lower() if meal else "the meal",
    )


def without_place(activity: str) -> str:
    """Return the activity without the place at its end; the furniture stays."""
    return _PLACE.sub("", activity).strip()


def seat_in(text: str) -> str:
    """Return the furniture that the words name, such as "at the desk", "" for none."""
    match = _SEAT.search(text)
    return "" if match is None else match["seat"]


def seated(text: str, activity: str) -> str:
    """Return the text with the furniture that the activity names: "read a book on the sofa"."""
    seat = seat_in(activity)
    return text if not seat or seat_in(text) else f"{text} {seat}"


def without_seat(text: str) -> str:
    """Return the words before the furniture."""
    return _SEAT.sub("", text)


def without_furniture(action: str) -> str:
    """Return the action without the furniture that it ends with."""
    return _AT_THE_END.sub("", action)


def placed(action: str, activity: str) -> str:
    """Return the action at the furniture and the counter that the planned activity names."""
    seat = seat_in(activity)
    if seat and _AT_HAND.search(action):
        action = _AT_HAND.sub(seat, action)
    elif seat and seat not in action:
        is_sitting = _SITTING.search(action) or seat.startswith("in ")
        action = f"{action} {seat}" if is_sitting and not _ANYWHERE.search(action) else action
    counter = _COUNTER.search(activity)
    return (
        action if counter is None else re.sub(r"\bthe counter\b", f"the {counter[1]}", action)
    )


def _thing_in(doing: str, activity: str, kind: Activity) -> str:
    named = next((thing for thing in kind.things if thing.lower() in activity.lower()), "")
    if kind.things:
        return f"the {named or kind.things[0]}"
    match = _THING.match(doing)
    return re.sub(r"^(?:an?|some) ", "the ", match["thing"]) if match else "the work"
