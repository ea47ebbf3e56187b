"""What somebody has heard or seen of a matter (stand-in, not a language model)."""

import re

from apps.rule_model.interview.matter import Matter
from apps.rule_model.reading.concerns import is_asking
from apps.rule_model.reading.moments import when_in
from apps.rule_model.reading.names import subject_of
from apps.rule_model.reading.news import Told
from apps.rule_model.reading.topics import place_in, stems_of

# Plans for the day, and what a talk was about.
_REPEATS = re.compile(r"^\S+ \S+ plans\b| talked about ")
_TIME = stems_of("time day date hour start begin take place")
WHETHER_SHARE, WHO_SHARE, ANY_SHARE = 1.0, 1.0, 0.6
# Words of a question that its answer need not hold.
_ASKING = stems_of(
    "tell know think say ask hear heard there anything anybody anyone someone somebody more "
    "something please happen like talk would who what when where how much many really thing "
    "does"
)
# What is called by one of these words is known by the others.
_FIELDS = (
    frozenset({"politic", "mayor", "election", "vote", "candidate", "council"}),
    frozenset({"music", "concert", "composition", "song", "band"}),
    frozenset({"art", "exhibition", "painting", "watercolor", "photo"}),
)


def who(matter: Matter) -> str:
    """Tell who it is that does something."""
    found = _answering(matter, _words(matter), WHO_SHARE)
    if not found:
        wonders = _is_wondered_about(matter)
        return f"I don't know.{' I would like to know that myself.' if wonders else ''}"
    return _reported(matter, found[0])


def whether(matter: Matter) -> str:
    """Tell whether something is the case, as far as one knows."""
    found = _answering(matter, _words(matter), WHETHER_SHARE)
    if not found:
        return "Not that I know of."
    return f"Yes. {_reported(matter, found[0])}"


def when(matter: Matter) -> str:
    """Tell when something is, as far as one knows."""
    found = _answering(matter, _words(matter) - _TIME, ANY_SHARE)
    dated = [told for told in found if when_in(told.core, matter.today).start is not None]
    dated = dated or [told for told in found if when_in(told.core, matter.today).day]
    return _reported(matter, dated[0]) if dated else "I don't know when."


def where(matter: Matter) -> str:
    """Tell where something is, as far as one knows."""
    found = _answering(matter, _words(matter), ANY_SHARE)
    placed = [told for told in found if place_in(told.core)]
    return _reported(matter, placed[0]) if placed else "I don't know where."


def whom_to_ask(matter: Matter) -> str:
    """Name somebody who knows of a matter."""
    words = _words(matter)
    field = next((field for field in _FIELDS if _touches(field, words)), frozenset[str]())
    for told in matter.told:
        subject = subject_of(told.core)
        said = stems_of(told.core)
        if not subject or subject == matter.me or is_asking(told.core):
            continue
        if (words and words <= said) or _touches(field, said):
            heard = _reported(matter, told)
            return f"I'd talk to {subject}. {heard}"
    return "I don't know whom I'd ask about that."


def whatever_is_known(matter: Matter) -> str:
    """Tell what comes nearest to the question, or that one does not know."""
    words = frozenset(word for word in _words(matter) if not word.isdigit())
    found = _answering(matter, words, ANY_SHARE)
    if not found:
        return "I don't know."
    return f"What I can say is this: {matter.clause(found[0].core)}."


def _words(matter: Matter) -> frozenset[str]:
    return stems_of(matter.question) - _ASKING - stems_of(matter.me)


def _answering(matter: Matter, words: frozenset[str], least: float) -> list[Told]:
    found = [told for told in matter.holding(words, least=least) if not is_asking(told.core)]
    return sorted(found, key=lambda told: _says_less(matter, told))


def _says_less(matter: Matter, told: Told) -> tuple[bool, bool]:
    """Return whether it repeats what is said better elsewhere, and whether it names no day."""
    return _REPEATS.search(told.core) is not None, when_in(told.core, matter.today).day is None


def _is_wondered_about(matter: Matter) -> bool:
    words = _words(matter)
    return any(is_asking(told.core) for told in matter.holding(words, least=ANY_SHARE))


def _reported(matter: Matter, told: Told) -> str:
    if not told.teller or told.teller == matter.me:
        return matter.say(told.core)
    if told.core.startswith(told.teller):
        return f"{told.teller} told me: {matter.clause(told.core)}."
    return f"I heard from {told.teller} that {matter.clause(told.core)}."


def _touches(field: frozenset[str], words: frozenset[str]) -> bool:
    return any(word.startswith(sign) for word in words for sign in field)
