"""What models answer in words, brought into the one form that plans keep; pure.

Descriptions hold no name: an action is what follows "<name> is", a planned hour an
infinitive. Nothing here can fail: odd words give odd plans, never a stopped town.
"""

import re
import unicodedata
from collections.abc import Sequence
from difflib import get_close_matches

DESCRIPTION_CHARACTERS_MAX = 300
STATE_CHARACTERS_MAX = 80
EMOJI_MAX = 2
# Half the letters must agree before a misspelt option is taken for an offered one.
LIKENESS_MIN = 0.6

_LISTED = re.compile(
    r"^[\s\-*•\"'\u2018\u201c]*(?:\d{1,2}[.)]\s+)?(?:\d{1,2}:\d{2}\s*(?:[ap]m)?\s*[-\u2013:]*\s*)?"
)
_TAIL = " \t\n.;,\"'\u2019\u201d"
_AUXILIARY = re.compile(
    r"^(?:is|am|are|was|will be|will|plans? to|going to|to|starts? by|begins? by)\s+",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"^(?:he|she|they|i|i'm|he's|she's)\s+(?=\S)", re.IGNORECASE)
_CLOCK = re.compile(r"^\s*(\d{1,2})(?::(\d{2}))?\s*([ap])?\.?m?\.?\s*$", re.IGNORECASE)
_JOINER = "\u200d"
_DOUBLED_ENDINGS = frozenset("bdgmnprt")
_VOWELS = frozenset("aeiou")
_NOT_DOUBLED_VERBS = "answer edit gather listen open order shower visit water"
_KNOWN_VERBS = (
    "answer arrange ask attend bake begin brew browse brush build buy call carry catch "
    "chat check choose clean close collect come compare compose cook count cut dine do "
    "draft draw dress drink eat edit enjoy exercise feed fetch film finish fix fold "
    "gather get give go greet hang have head help invent invite jog join keep leave "
    "lie listen load lock look make measure meet mend mix mop mow note open order pack "
    "paint photograph plan plant play polish practice practise prepare put read "
    "rehearse repair rest restock return review revise run search see sell serve set "
    "settle shop shower sing sit sketch sleep solve sort spend stand start stay "
    "straighten stream stretch study sweep take talk teach tend test think tidy train "
    "try tune turn unclog unlock unwind wait wake walk wash watch water weigh welcome "
    "wipe work write"
)
_NOT_DOUBLED = frozenset(_NOT_DOUBLED_VERBS.split())
_VERBS = frozenset(_KNOWN_VERBS.split())


def plain_activity(name: str, text: str, *, default: str) -> str:
    """Return the activity without the person, numbering, times and closing dot.

    "Isabella Rodriguez is brewing coffee." -> "brewing coffee"; what says nothing becomes
    the default.
    """
    words = _LISTED.sub("", " ".join(text.split())).strip(_TAIL)
    for called in (name, name.partition(" ")[0]):
        if called and words.lower().startswith(called.lower() + " "):
            words = words[len(called) + 1 :]
    words = _AUXILIARY.sub("", _PRONOUN.sub("", words))
    words = _shortened(_LISTED.sub("", words)).strip(_TAIL)
    return _lower_verb(words) if any(letter.isalpha() for letter in words) else default


def doing(activity: str) -> str:
    """Return an infinitive as what one is doing: "open the cafe and wash" -> "opening the …".

    Verbs behind a comma, "and" or "then" follow; what does not begin with a known verb
    stays as it is.
    """
    words = activity.split(" ")
    expected = True
    for index, word in enumerate(words):
        bare = word.rstrip(",")
        if expected and bare in _VERBS:
            words[index] = _gerund(bare) + word[len(bare) :]
        expected = word.endswith(",") or bare in {"and", "then"}
    return " ".join(words)


def base_verb(word: str) -> str | None:
    """Return the infinitive of "opens" or "writing", None for what is no known verb."""
    plain = word.lower().strip(",.;")
    stems = [plain, plain.removesuffix("s"), plain.removesuffix("es")]
    if plain.endswith("ies"):
        stems.append(plain[:-3] + "y")
    if plain.endswith("ing"):
        stem = plain[:-3]
        stems += [stem, stem + "e", stem[:-1] if stem[-2:-1] == stem[-1:] else stem]
    return next((stem for stem in stems if stem in _VERBS), {"has": "have"}.get(plain))


def said_as_plan(description: str) -> str:
    """Return what follows "plans": "to open the cafe", "on working late"."""
    first = description.partition(" ")[0]
    return (
        f"on {description}" if first.endswith("ing") and len(first) > 4 else f"to {description}"
    )


def chosen(answer: str, options: Sequence[str]) -> str | None:
    """Return the offered option that the answer means, or None when it means none (W2).

    Options are paths in words. An answer may be an option's number (1, 2, …), its last
    part, its text in other letters, or nearly its text.
    """
    said = " ".join(answer.split()).strip(_TAIL + "<>")
    if said.isdecimal() and 1 <= int(said) <= len(options):
        return options[int(said) - 1]
    for likeness in (_same, _tail_of, _parts_named):
        agreeing = [likeness(said.casefold(), option.casefold()) for option in options]
        if any(agreeing):
            return options[agreeing.index(max(agreeing))]
    forms = {option.casefold(): option for option in options}
    forms |= {option.casefold().rpartition(": ")[2]: option for option in reversed(options)}
    near = get_close_matches(said.casefold(), forms, n=1, cutoff=LIKENESS_MIN)
    return forms[near[0]] if near else None


def minute_of_clock(text: str) -> int | None:
    """Return minutes after midnight for "14:30", "2:30 pm" or "9", None for anything else.

    Hours past 24 are the next day's.
    """
    match = _CLOCK.match(text)
    if match is None:
        return None
    hour, minute, half = int(match[1]), int(match[2] or 0), (match[3] or "").lower()
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    return hour * 60 + minute if hour <= 36 and minute < 60 else None


def only_emoji(text: str, *, default: str) -> str:
    """Return the first emoji of the text, at most two; the default if there are none."""
    clusters: list[str] = []
    joined = False
    for sign in text:
        if clusters and (joined or _adds_to_emoji(sign)):
            clusters[-1] += sign
        elif unicodedata.category(sign) == "So":
            clusters.append(sign)
        joined = sign == _JOINER
    return "".join(clusters[:EMOJI_MAX]) or default


def plain_state(text: str, *, of: str, default: str) -> str:
    """Return an object's state without the object: "The stove is on." -> "on"."""
    words = " ".join(text.split()).strip(_TAIL)
    words = re.sub(rf"^(?:the\s+)?{re.escape(of)}\s+", "", words, flags=re.IGNORECASE)
    words = re.sub(r"^(?:is|becomes|will be|it is)\s+", "", words, flags=re.IGNORECASE)
    words = words[:STATE_CHARACTERS_MAX].strip(_TAIL)
    return words if any(letter.isalpha() for letter in words) else default


def _adds_to_emoji(sign: str) -> bool:
    """Whether the sign is a joiner, a variation selector or a skin tone."""
    return sign in (_JOINER, "\ufe0f") or "\U0001f3fb" <= sign <= "\U0001f3ff"


def _same(said: str, option: str) -> bool:
    return said == option


def _tail_of(said: str, option: str) -> bool:
    return bool(said) and (option.endswith(f": {said}") or said.endswith(f": {option}"))


def _parts_named(said: str, option: str) -> int:
    """Return how many parts of the path an answer such as "at the kitchen table" names.

    0 when its last part is not among them.
    """
    named = [bool(re.search(rf"\b{re.escape(part)}\b", said)) for part in option.split(": ")]
    return sum(named) if named[-1] else 0


def _shortened(words: str) -> str:
    """Return the words, cut between two of them where there are too many."""
    if len(words) <= DESCRIPTION_CHARACTERS_MAX:
        return words
    return words[:DESCRIPTION_CHARACTERS_MAX].rpartition(" ")[0]


def _lower_verb(words: str) -> str:
    first = words.partition(" ")[0]
    verb = first.lower().rstrip(",")
    if verb.endswith("ing") or verb in _VERBS:
        return verb + words[len(verb) :]
    return words


def _gerund(verb: str) -> str:
    if verb == "lie":
        return "lying"
    if verb.endswith("e") and not verb.endswith("ee"):
        return verb[:-1] + "ing"
    if _doubles(verb):
        return verb + verb[-1] + "ing"
    return verb + "ing"


def _doubles(verb: str) -> bool:
    """Whether the last letter doubles: "get", "chat", "begin", but not "clean" or "open"."""
    if verb in _NOT_DOUBLED or len(verb) < 3:
        return False
    return verb[-1] in _DOUBLED_ENDINGS and verb[-2] in _VOWELS and verb[-3] not in _VOWELS
