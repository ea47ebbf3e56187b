"""Says in few words what a sentence is about, and by which words that is known again.

A stand-in, not a language model: "Sam Moore will run for mayor in the local election next
month" is about "Sam Moore running for mayor".
"""

import re

from apps.rule_model.reading.names import PERSON, may_be_place, people_in

TOPIC_WORDS_MIN, TOPIC_WORDS_MAX = 6, 12
# What a phrase begins with, so that a text may be cut before it.
_PHRASE_WORDS = (
    "about after and at because before behind but by for from if in into near of on or since "
    "so that to until when where which while who with"
)
_PHRASE = frozenset(_PHRASE_WORDS.split())
_RUNNING = re.compile(
    r"(?:is running|will run|is going to run|runs|wants to run|ran) (?:for|against) "
    r"(?P<what>[\w ]+?)(?= in\b| next\b| this\b| on\b|,|$)"
)
_DOING = re.compile(
    r"(?:is|are|has been) (?P<verb>\w+ing)(?: (?P<how>for|on|up))? "
    rf"(?P<article>an?|the|his|her|their|my|your|{PERSON}'s|\w+'s) "
    r"(?P<thing>(?:[\w'-]+ ){0,4}?[\w'-]+)"
    r"(?= (?:on|of|about|that|which|for|in|at|to|with|from)\b|,|$)"
)
_GOING_TO = re.compile(
    rf"(?:is going|will (?:not )?(?:come|go)|may come) to (?P<whose>{PERSON}'s|the) "
    r"(?P<thing>(?:[\w'-]+ ){0,4}?[\w'-]+)"
    r"(?= (?:on|of|about|that|which|for|in|at|to|with|from)\b|,|$)"
)
_STUDIES = re.compile(r"(?P<verb>studies|teaches) ")
_ING = re.compile(r"(?:is|are|has been) (?P<doing>\w+ing\b.*)")
_PLACE = re.compile(
    r" (?:at|in) (?P<place>(?:[Tt]he )?[A-ZÀ-Þ][\w']*(?:(?: and| of| the)? [A-Z]\w*)*)"
)
_PLACE_NAME = re.compile(
    r"\b(?P<place>(?:[Tt]he )?(?:[A-ZÀ-Þ][\w']* (?:and )?)+"
    r"(?:Bar|Cafe|Café|College|Dorm|Hall|Library|Market|Park|Pharmacy|Pub|School|Store))\b"
)
_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
_CUT = re.compile(
    r",? (?:on (?=\w+ \d|\w+day)|from (?=\d)|at (?=\d)|next|this week|tomorrow|today)\b.*"
)
_EMPTY_WORDS = (
    "a about after again all also an and any are as at be been before being but by can did do "
    "does for from get go goe going got had has have he her here him his how i in into is it "
    "its just like ma me my next not now of off on or our out over own she so some than that "
    "the their them then there they thi this to up us very want was we were what when where "
    "which who whose will with would you your"
)
_EMPTY = frozenset(_EMPTY_WORDS.split())
_SUFFIXES = ("ning", "ting", "ming", "ping", "ing", "ies", "es", "s")
_STEM_MIN = 3
_NEWS_THAT = "the news that "


def topic_of(core: str, subject: str) -> str:
    """Return what the sentence about the subject is about: "Sam Moore running for mayor"."""
    said = core.removeprefix(subject).strip()
    running = _RUNNING.match(said)
    if running:
        return f"{subject} running for {running['what']}"
    going = _GOING_TO.match(said)
    if going:
        return _placed(f"{going['whose']} {going['thing']}", said)
    doing = _DOING.match(said)
    if doing and doing["verb"] not in {"looking", "getting", "going"}:
        thing = f"{subject}'s {doing['thing']}"
        return _placed(thing, said) if _PLACE.search(said) else thing
    studies = _STUDIES.match(said)
    if studies:
        return f"{subject}'s {'studies' if studies['verb'] == 'studies' else 'teaching'}"
    other = _ING.match(said)
    return _short(f"{subject} {other['doing']}" if other else f"{_NEWS_THAT}{subject} {said}")


def place_in(text: str) -> str:
    """Return the place that the text names behind "at", "" for none: "Hobbs Cafe"."""
    for pattern in (_PLACE, _PLACE_NAME):
        for match in pattern.finditer(text):
            if may_be_place(match["place"]):
                return match["place"]
    return ""


def keys_of(topic: str) -> frozenset[str]:
    """Return the words by which a topic is known again: no names, no empty words."""
    topic = topic.removeprefix(_NEWS_THAT)
    place = place_in(topic)
    plain = topic.replace(f" at {place}", "") if place else topic
    for name in people_in(plain):
        plain = plain.replace(f"{name}'s", " ").replace(name, " ")
    return stems_of(plain)


def stems_of(text: str) -> frozenset[str]:
    """Return the words of the text that say something, without their endings."""
    words = (_stem(word.lower()) for word in _WORD.findall(text))
    return frozenset(word for word in words if word not in _EMPTY)


def _stem(word: str) -> str:
    word = word.removesuffix("'s")
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= _STEM_MIN:
            doubled = suffix in {"ning", "ting", "ming", "ping"}
            if doubled and word[-len(suffix) - 1] != suffix[0]:
                continue
            return word.removesuffix(suffix)
    return word


def _placed(thing: str, said: str) -> str:
    place = place_in(said)
    return f"{thing} at {place}" if place else thing


def _short(text: str) -> str:
    """Return the text without times, and not too long: cut where a phrase begins, if it is."""
    words = _CUT.sub("", text).split()
    if len(words) > TOPIC_WORDS_MAX:
        places = range(TOPIC_WORDS_MAX, TOPIC_WORDS_MIN - 1, -1)
        begins = (at for at in places if words[at] in _PHRASE or words[at - 1].endswith(","))
        words = words[: next(begins, TOPIC_WORDS_MAX)]
    return " ".join(words).rstrip(",")
