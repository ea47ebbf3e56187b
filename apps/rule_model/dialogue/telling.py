"""Tells news, one's own and what others told, and what one makes of it (stand-in).

Not a language model: a memory's sentence in the first person behind one of a few leads.
"""

import re

from apps.rule_model.dialogue.scene import Scene
from apps.rule_model.reading.names import first_name
from apps.rule_model.reading.news import News
from apps.rule_model.reading.ties import Closeness, opinion_of, tie_to
from apps.rule_model.reading.topics import stems_of

# How often somebody who passes news on forgets at what time it is.
FORGETS_THE_TIME = 0.06
SAYS_WHO_TOLD = 0.6
STRONG_NEWS = 4.5
_OWN_LEADS = (
    "Guess what: {news}.",
    "You know what? {News}.",
    "I have some news: {news}.",
    "By the way, {news}.",
)
_OWN_MILD_LEADS = ("{News}.", "By the way, {news}.", "You know what? {News}.")
_LEADS = (
    "Did you hear that {news}?",
    "Have you heard? {News}.",
    "Did you know that {news}?",
    "I heard that {news}.",
    "By the way, {news}.",
)
_TOLD_LEADS = ("{teller} told me that {news}.", "I heard from {teller} that {news}.")
_BAD = re.compile(
    r"\b(?:died|ill|sick|hurt|injured|robbed|accident|hospital|divorc\w+|lost|fired|failed|broke)\b"
)
_PITY = ("Oh no.", "Oh, I'm sorry to hear that.", "That's terrible.", "Poor thing.")
_WONDER = (
    "Really?",
    "Oh, really?",
    "No way!",
    "I had no idea!",
    "Is that so?",
    "That's news to me.",
    "You don't say!",
)
_KNOWN = ("Yes, I heard about that.", "So I heard.", "I know, I heard it too.", "Yes, I know.")
_GLAD_FOR_YOU = (
    "I'm happy for you.",
    "Good for you!",
    "That sounds great.",
    "I like that.",
    "I think that's a fine idea.",
)
_NOT_GLAD = (
    "To be honest, I don't think that's a good idea.",
    "I can't say that I like the idea.",
    "If you ask me, you should leave that alone.",
)
_GOOD_LUCK = (
    "Good luck with it.",
    "I wish you luck.",
    "That's a lot to take on.",
    "Sounds good.",
)
_NICE = ("Sounds good.", "Oh, nice.", "That sounds like fun.", "Good for you.")
_BIG = re.compile(r"\b(?:running|will run|planning|preparing|opening|moving|getting)\b")
_LIKES = (
    "Good for {first}.",
    "I like {first}, so I'm glad.",
    "That's good to hear, I've always liked {first}.",
    "I hope it goes well for {first}.",
)
_DISLIKES = (
    "To be honest, I don't think much of {first}.",
    "I don't think {first} would be any good at it.",
    "I'm not fond of {first}, I'll say that openly.",
    "{first}, of all people.",
)
_NEUTRAL = (
    "I wonder how that will turn out.",
    "Let's see what comes of it.",
    "That will give people something to talk about.",
    "Interesting.",
)
_UNKNOWN_PERSON = ("I don't really know {first}.", "I hardly know {first}, to be fair.")
# What one likes or dislikes touches news that has one of the words behind it.
_FIELDS = {
    "politic": frozenset({"mayor", "election", "vote", "candidate", "council", "politic"}),
    "music": frozenset({"concert", "music", "composition", "song", "band"}),
    "art": frozenset({"exhibition", "painting", "show", "art", "photo"}),
}
_WISH = ("I wish {who} wouldn't{because}.", "If only {who} wouldn't{because}.")
_TASTE = re.compile(r" (?P<taste>dislikes|likes to talk about|likes) (?P<what>[\w ]+)")
_WISHES_NOT = re.compile(r"\bwishe?s? that (?:he|she|they) would not(?:, (?P<why>since .+))?")
_AVERSE = ("I don't care for {what}, to be honest.", "{What} is not for me, I'm afraid.")
_KEEN = ("I could talk about {what} all day.", "I've been curious about that.")


def told(scene: Scene, news: News) -> list[str]:
    """Return the sentences that tell the news to the other one."""
    if news.subject == scene.me:
        leads = _OWN_LEADS if news.worth >= STRONG_NEWS else _OWN_MILD_LEADS
        return [_led(scene, leads, scene.in_own_words(news.core))]
    core = _from_memory(scene, news)
    teller = news.told.teller
    if teller and teller != news.subject and scene.happens(SAYS_WHO_TOLD, "who"):
        return [_led(scene, _TOLD_LEADS, core, teller=teller)]
    sentences = [_led(scene, _LEADS, core)]
    if teller == news.subject and scene.happens(SAYS_WHO_TOLD, "who"):
        sentences.append(scene.pick(("{first} told me.",), "told me", first=first_name(teller)))
    return sentences


def reaction(scene: Scene, core: str, subject: str, *, asked: bool = False) -> list[str]:
    """Return what the speaker says to news about the subject; `asked`, only the opinion."""
    first = [] if asked else [_first_word(scene, core, subject)]
    if _BAD.search(core):
        return first
    return [*first, opinion(scene, core, subject)]


def opinion(scene: Scene, core: str, subject: str) -> str:
    """Return what the speaker makes of it, by whom they like and what they care for."""
    wish = _wish(scene, core, subject)
    if wish:
        return wish
    taste = _taste(scene, core)
    if subject == scene.you:
        if scene.tie.dislikes:
            return scene.pick(_NOT_GLAD, "opinion")
        politely = _GOOD_LUCK if _BIG.search(core) else _NICE
        return taste or scene.pick(_GLAD_FOR_YOU if scene.tie.warm else politely, "opinion")
    liking = opinion_of(subject, scene.me, scene.known)
    first = first_name(subject)
    if liking:
        liked = scene.pick(_LIKES, "opinion", first=first)
        return liked if liking > 0 else scene.pick(_DISLIKES, "opinion", first=first)
    is_stranger = tie_to(subject, scene.me, scene.known).closeness is Closeness.STRANGER
    phrases = (*_NEUTRAL, *_UNKNOWN_PERSON) if is_stranger and first != subject else _NEUTRAL
    return taste or scene.pick(phrases, "opinion", first=first)


def knows(scene: Scene, core: str, keys: frozenset[str]) -> bool:
    """Whether a memory of the speaker holds the same already."""
    given = first_name(core)
    return bool(keys) and any(
        given in memory and keys <= stems_of(memory) for memory in scene.known
    )


def _first_word(scene: Scene, core: str, subject: str) -> str:
    news = next((n for n in scene.news if n.subject == subject and n.is_in(core)), None)
    if news is not None or knows(scene, core, frozenset(stems_of(core))):
        return scene.pick(_KNOWN, "known")
    return scene.pick(_PITY if _BAD.search(core) else _WONDER, "wonder")


def _led(scene: Scene, leads: tuple[str, ...], said: str, **fills: str) -> str:
    capital = said[:1].upper() + said[1:]
    return scene.pick(leads, "lead", news=said, News=capital, **fills)


def _from_memory(scene: Scene, news: News) -> str:
    said = scene.in_own_words(news.core)
    if scene.happens(FORGETS_THE_TIME, "forgets", news.core):
        return re.sub(r",? from \d[\d:]*(?: [ap]m)? to \d[\d:]* [ap]m", "", said)
    return said


def _wish(scene: Scene, core: str, subject: str) -> str:
    """Return that the speaker wishes it were not so, where a memory of theirs says so."""
    for memory in scene.known:
        match = _WISHES_NOT.search(memory)
        if match is None or not memory.startswith(scene.me):
            continue
        if _is_same(memory, core):
            who = "you" if subject == scene.you else first_name(subject)
            because = f", {match['why']}" if match["why"] else ""
            return scene.pick(_WISH, "wish", who=who, because=because)
    return ""


def _is_same(memory: str, core: str) -> bool:
    """Whether most of what the memory and the news say is the same."""
    shared = stems_of(memory) & stems_of(core)
    return len(shared) > len(stems_of(core)) / 2


def _taste(scene: Scene, core: str) -> str:
    """Return what the speaker says to a matter that they like or dislike, else ""."""
    words = stems_of(core)
    for memory in scene.known:
        match = _TASTE.search(memory) if memory.startswith(scene.me) else None
        for field, signs in _FIELDS.items():
            if (
                match
                and any(w.startswith(field) for w in stems_of(match["what"]))
                and signs & words
            ):
                averse = match["taste"] == "dislikes"
                what = match["what"].split(" and ")[0]
                phrases = _AVERSE if averse else _KEEN
                return scene.pick(phrases, "taste", what=what, What=what.capitalize())
    return ""
