"""Invites, and accepts or declines for reasons (stand-in, not a language model)."""

import re
from dataclasses import dataclass

from apps.rule_model.dialogue.acts import Act
from apps.rule_model.dialogue.scene import Scene
from apps.rule_model.reading.gatherings import Gathering, gathering_in
from apps.rule_model.reading.moments import clock_of, hours_in, spoken, when_in
from apps.rule_model.reading.news import News, told_in
from apps.rule_model.reading.ties import Closeness, opinion_of
from apps.rule_model.reading.topics import stems_of

# How likely an invitation is accepted, by how close the two are.
ACCEPTS = {
    Closeness.STRANGER: 0.2,
    Closeness.ACQUAINTED: 0.45,
    Closeness.FRIEND: 0.7,
    Closeness.CLOSE: 0.8,
    Closeness.FAMILY: 0.85,
}
ACCEPTS_IN_LOVE = 0.97
ACCEPTS_DISLIKED = 0.04
HOST_DISLIKED = 0.15
OUTGOING_MORE, SHY_LESS = 0.12, 0.2
CLASH_LESS = 0.4
MAYBE = 0.15
_OUTGOING = frozenset(
    {"outgoing", "friendly", "enthusiastic", "energetic", "cheerful", "open-minded"}
)
_SHY = frozenset(
    {"shy", "introverted", "quiet", "solitary", "independent", "rude", "eccentric"}
)
_FIRM = re.compile(
    r"\b(?:works?|teaches|opens|stands|serves|has (?:class|classes|dinner with)|agreed to|must|"
    r"cooks (?:dinner|lunch) for)\b"
)
_YES = (
    "I'd love to come!",
    "Sure, I'll be there.",
    "Count me in!",
    "Yes, gladly.",
    "I'll come, that sounds fun.",
    "Of course, I wouldn't miss it.",
)
_SAID_SO = ("I haven't changed my mind.", "As I said before.", "It's still not for me.")
_GOING_ANYWAY = (
    "Yes, I'll be there anyway.",
    "I'll be there, I've said yes already.",
    "Of course, I'm coming anyway.",
)
_YES_IN_LOVE = ("With you? I'd love to!", "I'd love to come with you.", "I'd love to, {name}.")
_MAYBE = (
    "Maybe. I'll see if I can make it.",
    "I'm not sure yet, I'll think about it.",
    "Perhaps. I can't promise anything.",
)
_NO = ("I'm afraid I can't.", "I'd rather not, sorry.", "I can't come, sorry.")
_NO_COOLLY = ("No, thanks.", "I won't come.", "I'll pass.")
_CLASH = ("{clash} at that time.", "{clash} then.")
_BUSY = ("I want to get on with {work}.", "I need the evening for {work}.")
_TASTE = ("That's not my thing.", "So many people at once are too much for me.")
_INVITES = (
    "Would you like to come?",
    "Do you want to come?",
    "Will you come?",
    "Are you coming?",
)
_INVITES_ALONG = ("Do you want to come along with me?", "Would you like to come with me?")
_GLAD = ("Great, see you there!", "Lovely! I'm looking forward to it.", "Great, I'm glad.")
_SAD = ("Too bad. Another time, then.", "That's a pity.", "I see. Maybe next time.")
_OPEN = (
    "Fine, just drop in.",
    "I'd be glad if you came.",
    "No hurry, just drop in.",
)
_SPREAD = (
    "Tell your friends about it!",
    "Bring a friend if you like!",
    "Let others know, too!",
)
_NO_SURPRISE = ("As you like.", "Suit yourself.")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one says to an invitation, and why."""

    act: Act
    reason: str = ""


def invitation(scene: Scene, gathering: Gathering, news: News | None) -> list[str]:
    """Return the sentences that invite the other one."""
    own = gathering.host in (scene.me, "")
    announced = _announced(scene, gathering, news, own=own)
    if not announced:
        return [f"Would you like to come to {scene.in_own_words(gathering.title)}?"]
    sentences = [announced] if scene.is_fresh(announced) else []
    return [*sentences, scene.pick(_INVITES if own else _INVITES_ALONG, "invites")]


def _announced(scene: Scene, gathering: Gathering, news: News | None, *, own: bool) -> str:
    """Return the sentence that tells of the gathering, "" where only its name is known."""
    if news is not None and (news.subject == scene.me or not own):
        told = scene.in_own_words(news.core)
        return f"{told[:1].upper()}{told[1:]}."
    when = spoken(gathering.said(scene.today), scene.today)
    if not when:
        return ""
    article = "an" if gathering.name[0].lower() in "aeiou" else "a"
    whose = f"I'm having {article}" if gathering.host == scene.me else f"There's {article}"
    return f"{whose} {gathering.name} {when}."


def answer(scene: Scene, gathering: Gathering) -> list[str]:
    """Return the answer to an invitation: yes, no with a reason, or maybe."""
    verdict = verdict_on(scene, gathering)
    if _is_going(scene, gathering):
        return [scene.pick(_GOING_ANYWAY, "going")]
    if verdict.act is Act.YES:
        along = scene.tie.in_love and gathering.host != scene.you
        return [scene.pick(_YES_IN_LOVE if along else _YES, "yes")]
    if verdict.act is Act.MAYBE:
        return [scene.pick(_MAYBE, "maybe")]
    no = scene.pick(_NO_COOLLY if scene.tie.dislikes else _NO, "no")
    return [no, verdict.reason]


def verdict_on(scene: Scene, gathering: Gathering) -> Verdict:
    """Decide on an invitation, by closeness, traits, dislike and other plans."""
    if _is_going(scene, gathering):
        return Verdict(Act.YES)
    clash = clashing(scene, gathering)
    likely = _likelihood(scene, gathering) - (CLASH_LESS if clash else 0.0)
    if _has(scene, "declined to", gathering):
        return Verdict(Act.NO, scene.pick(_SAID_SO, "said so"))
    drawn = scene.chance.unit("accepts", gathering.name)
    if drawn < likely:
        return Verdict(Act.YES)
    if drawn < likely + MAYBE and not scene.tie.dislikes:
        return Verdict(Act.MAYBE)
    return Verdict(Act.NO, _reason(scene, clash))


def to_their_answer(scene: Scene, act: Act, *, is_host: bool) -> list[str]:
    """Return what who invited says to yes, no or maybe."""
    if act is Act.YES:
        spread = (
            scene.pick(_SPREAD, "spread") if is_host and scene.happens(0.5, "spread") else ""
        )
        return [scene.pick(_GLAD, "glad"), spread]
    if act is Act.MAYBE:
        return [scene.pick(_OPEN, "open")]
    return [scene.pick(_NO_SURPRISE if scene.tie.dislikes else _SAD, "sad")]


def spoken_of(scene: Scene, sentences: list[str]) -> Gathering | None:
    """Return the gathering that the sentences speak of."""
    return gathering_in(sentences, scene.today)


def _is_going(scene: Scene, gathering: Gathering) -> bool:
    """Whether the speaker has agreed to it before."""
    return _has(scene, "agreed to", gathering)


def _has(scene: Scene, decided: str, gathering: Gathering) -> bool:
    """Whether a memory says that the speaker has agreed to it, or declined to come."""
    keys = stems_of(gathering.name)
    own = (memory for memory in scene.known if memory.startswith(f"{scene.me} {decided} "))
    return any(keys <= stems_of(memory) for memory in own)


def clashing(scene: Scene, gathering: Gathering) -> str:
    """Return what the speaker does at that time anyway, in their own words, else ""."""
    if gathering.when.start is None:
        return ""
    ends = gathering.when.end or gathering.when.start + 60
    for memory in scene.known:
        core = told_in(memory).core
        start, end = hours_in(core)
        if not core.startswith(scene.me) or start is None or not _FIRM.search(core):
            continue
        day = when_in(core, scene.today).day
        is_that_day = day is None or gathering.when.day is None or day == gathering.when.day
        same = gathering.name.split()[-1] in core
        if (
            is_that_day
            and not same
            and start < ends
            and (end or start + 60) > gathering.when.start
        ):
            return _short(scene.in_own_words(core))
    return ""


def _likelihood(scene: Scene, gathering: Gathering) -> float:
    tie = scene.tie
    if tie.dislikes:
        return ACCEPTS_DISLIKED
    if tie.in_love:
        return ACCEPTS_IN_LOVE
    likely = ACCEPTS[tie.closeness]
    if scene.given.last_talk:
        likely = max(likely, ACCEPTS[Closeness.ACQUAINTED])
    host = gathering.host
    if host and host != scene.you and opinion_of(host, scene.me, scene.known) < 0:
        likely = HOST_DISLIKED
    likely += OUTGOING_MORE if scene.traits & _OUTGOING else 0.0
    return likely - (SHY_LESS if scene.traits & _SHY else 0.0)


def _reason(scene: Scene, clash: str) -> str:
    if clash:
        return scene.pick(_CLASH, "clash", clash=clash)
    if scene.tie.dislikes:
        return scene.pick(
            ("I have other things to do.", "I don't think we'd enjoy it."), "cool"
        )
    work = _work(scene)
    if work and scene.happens(0.6, "busy"):
        return scene.pick(_BUSY, "busy", work=work)
    return scene.pick(_TASTE, "taste")


def _work(scene: Scene) -> str:
    """Return what the speaker works on: "my research paper"."""
    for memory in scene.known:
        match = re.match(
            rf"{re.escape(scene.me)} (?:is (?:writing|working on|preparing|developing|filming)|"
            r"writes|works on) (?:an?|the|his|her|their) (?P<thing>[\w' -]+?)"
            r"(?= (?:on|of|about|that|for|in|at|with|again)\b|,|$)",
            memory,
        )
        if match:
            return f"my {match['thing']}"
    return ""


def _short(said: str) -> str:
    """Return "I work on my research paper until 7 pm" without where and from when."""
    start, end = hours_in(said)
    head = re.split(r" (?:from|at|around|in the|behind)\b|,", said)[0]
    return (
        f"{head} until {clock_of(end).replace(':00', '')}"
        if start is not None and end
        else head
    )
