"""What a speaker brings up: invitations, messages, news, questions and small talk."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from math import log

from apps.memory.events import MemoryOrigin
from apps.rule_model.content import patterns
from apps.rule_model.dialogue.invitations import invitation
from apps.rule_model.dialogue.scene import ODDS, Scene, acts_of
from apps.rule_model.knowledge.gatherings import Occasion, is_agreed, occasions, would_invite
from apps.rule_model.knowledge.news import News
from apps.rule_model.knowledge.relationships import open_questions, work_of
from apps.rule_model.language.grammar import in_progress, listed
from apps.rule_model.language.moments import (
    daylight,
    is_over,
    minute_at,
    short_clock,
    spoken_day,
)
from apps.rule_model.language.subjects import (
    is_about,
    keys_of,
    people_in,
    stems_of,
    topic_of,
    without_participants,
)
from apps.rule_model.planning.wording import steps_in

NEWS_TOLD_MAX = 1
# The agent tells less important news only if it is asked.
TOLD_UNASKED = 4.5
# The acts of small talk.
_TOPIC_ACTS = frozenset(ODDS["topic_acts"].split())

WEEK, PAST = timedelta(days=7), timedelta(days=2)
# A speaker mentions plans that begin within this time; the second one is for agreed plans.
AHEAD, AGREED_AHEAD = timedelta(hours=6), timedelta(days=1)
# The words of activities that are no topic of a conversation.
_TRIFLES = stems_of(ODDS["trifles"])
_CONTINUES = patterns("wording")["go_on"]
_PASSING, _NEXT = (patterns("smalltalk")[name] for name in ("passing", "next"))
EVENING, EARLY_DARK, MORNING_ENDS = 17, 18 * 60, 11
_TALKS = (MemoryOrigin.CONVERSATION, MemoryOrigin.LEARNED)
WEEK_TURNS = {0: "week_begins", 4: "week_ends"}


def topics(scene: Scene) -> Iterator[str]:
    """Yield the sentences that may be brought up, in an order of chance and weight."""
    ranked = []
    for name, weights in ODDS["topics"].items():
        weight = weights[scene.tie.closeness]
        if weight:
            drawn = scene.chance.unit("topic", name, len(scene.lines))
            ranked.append((log(max(drawn, 1e-9)) / weight, name))
    for _, name in sorted(ranked, reverse=True):
        yield from _TOPICS[name](scene)


def is_told_of(doing: str) -> bool:
    """Return whether the activity, in progress form, is a topic of conversations."""
    is_trifle = bool(stems_of(doing) & _TRIFLES) or _PASSING.match(doing) is not None
    return bool(doing) and not is_trifle and not people_in(doing)


def told_day(scene: Scene) -> Iterator[str]:
    """Yield what the speaker has done today, but for what was seen here, in the past tense."""
    for one in reversed(scene.inputs.performed):
        is_over = one.ends <= scene.now and not one.is_asleep
        is_here = one.place and one.place.partition(": ")[0] in scene.inputs.place
        activity = without_participants(one.activity, one.missing)
        deed = _deed(activity) if activity and is_over and not is_here else ""
        continued = _CONTINUES.match(deed)
        doing = deed[continued.end() :] if continued else in_progress(deed)
        if deed and not _is_told(scene, doing):
            told, hour = scene.own_activity(doing), one.starts.hour
            part = "morning" if hour < 12 else "afternoon" if hour < EVENING else "evening"
            yield scene.say("experience", activity=told, when=f"this {part}")


def own_plan(scene: Scene) -> str:
    """Return what the speaker will do next that is new, agreements first, "" for nothing."""
    begun = [one.activity for one in scene.inputs.outline if one.starts <= scene.now]
    known = stems_of(" ".join([*begun, scene.inputs.status.activity]))
    agreed = {one.starts for one in scene.inputs.agreements}
    for plan in sorted(scene.inputs.outline, key=lambda one: one.starts not in agreed):
        until = scene.now + (AGREED_AHEAD if plan.starts in agreed else AHEAD)
        is_ahead = scene.now <= plan.starts < until
        deed = _deed(plan.activity) or (plan.activity if plan.starts in agreed else "")
        if is_ahead and deed and not stems_of(deed) <= known and not _is_told(scene, deed):
            activity = scene.own_activity(deed)
            place = scene.in_own_words(plan.place.partition(": ")[0])
            is_said = " my house" in activity or place in f"{activity} {scene.inputs.place}"
            there = f" at {place}" if place and not is_said else ""
            when = f"at {short_clock(minute_at(plan.starts))}"
            return scene.say("plan", activity=f"{activity}{there}", when=when)
    return ""


def _deed(activity: str) -> str:
    """Return the first thing of a planned activity, "" if it is no topic."""
    first, *_ = steps_in(activity, 0)
    deed = _NEXT.split(first.text, maxsplit=1)[0]
    deed = deed if " " in deed else first.text  # "make and eat lunch"
    return "" if stems_of(deed) & _TRIFLES else deed


def attended(scene: Scene, text: str) -> Occasion | None:
    """Return the gathering of the last days that the text names, if the speaker was there."""
    known = occasions(scene.inputs.memories, scene.me)
    return next((o for o in known if o.attended and is_about(text, o.gathering.keys)), None)


def past_of(scene: Scene, text: str) -> str:
    """Return an account of the gathering that the text names, "" if the speaker was absent."""
    there = attended(scene, text)
    others = [name for name in there.present if name != scene.you] if there else []
    came = scene.say("past.came", who=listed(others[:2])) if others else ""
    return f"{scene.say('past')} {came}".strip() if there else ""


def _recalled(scene: Scene) -> Iterator[str]:
    """Yield words on a gathering of now or of the last days, by who was there."""
    for one in occasions(scene.inputs.memories, scene.me):
        host, name = one.gathering.host, one.gathering.name
        is_there = bool(one.gathering.place) and one.gathering.place in scene.inputs.place
        is_here = is_there and one.starts <= scene.now < one.ends
        is_past = timedelta(0) <= scene.now - one.ends < PAST
        since = one.ends if is_past else one.starts
        if not (is_here or is_past) or _is_told(scene, name, since):
            continue
        if is_here:
            key = "here.host" if host == scene.me else "here"
        elif scene.you in one.present:
            key = {scene.me: "recall.host", scene.you: "recall.guest"}.get(host, "recall")
        else:
            asks = "ask_past" if host == scene.you else ""
            key = ("missed" if scene.you in one.absent else "") if one.attended else asks
        title, day = scene.in_own_words(one.gathering.title), one.ends.date()
        if key:
            yield scene.say(key, title=title, event=name, when=spoken_day(day, scene.today))


def _is_told(scene: Scene, text: str, since: datetime | None = None) -> bool:
    """Return whether the two have talked about the same before, since the time."""
    words, after = keys_of(text), since or scene.now - PAST
    lately = (m for m in scene.inputs.memories if m.formed_at > after and m.origin in _TALKS)
    heard = [memory.description for memory in lately if memory.subject_name == scene.you]
    last = scene.inputs.acquaintance.last_talk
    if last is not None and scene.now - timedelta(minutes=last.minutes_ago) > after:
        heard.append(last.gist)
    return any(is_about(said, words) for said in (*heard, *scene.lines))


def _stated(scene: Scene, statements: Iterable[str]) -> Iterator[str]:
    """Yield untold lasting facts, but for those on a gathering that has begun or is agreed."""
    agreements, known = scene.inputs.agreements, occasions(scene.inputs.memories, scene.me)
    settled = [
        one.gathering.keys
        for one in known
        if one.starts <= scene.now or is_agreed(agreements, scene.you, one.gathering)
    ]
    for core in statements:
        is_settled = any(keys <= stems_of(core) for keys in settled)
        if not is_settled and not _is_told(scene, topic_of(core, scene.me)):
            said = scene.in_own_words(core)
            yield f"{said[:1].upper()}{said[1:]}."


def _their_work(scene: Scene) -> Iterator[str]:
    for topic in work_of(scene.you, scene.inputs.memories):
        if not any(is_about(text, keys_of(topic)) for text in scene.lines):
            yield asked_about(scene, topic)


def asked_about(scene: Scene, topic: str) -> str:
    """Return the question about the progress of the other agent's work."""
    thing = topic.removeprefix(f"{scene.you}'s ").partition(" at ")[0]
    is_many = thing.endswith("s") and not thing.endswith(("ss", "is", "us", "series"))
    return scene.say("ask_progress.many" if is_many else "ask_progress", thing=thing)


def _seen(scene: Scene) -> Iterator[str]:
    """Yield a remark on the activity of the other agent."""
    doing = scene.inputs.other_status.activity
    if is_told_of(doing) and not scene.inputs.by_phone:
        yield scene.say("seen", activity=scene.others_activity(doing))


def _season(scene: Scene) -> Iterator[str]:
    """Yield a remark on the week or on the daylight."""
    sets, later = daylight(scene.today)[1], daylight(scene.today + WEEK)[1]
    if scene.today.weekday() in WEEK_TURNS:
        yield scene.say(f"season.{WEEK_TURNS[scene.today.weekday()]}")
    is_dark = sets < min(EARLY_DARK, minute_at(scene.now))
    light = "dark" if is_dark else "longer" if later > sets else "shorter"
    yield scene.say(f"season.{light}")


def _day(scene: Scene) -> Iterator[str]:
    """Yield a question about the day, by the hour."""
    if scene.now.hour >= EVENING:
        yield scene.say("ask_past_day")
    elif "plan" in scene.acts:
        return
    elif scene.inputs.acquaintance.home and scene.now.hour < MORNING_ENDS:
        yield scene.say("ask_night")
    else:
        yield scene.say("ask_day")


_TOPICS: dict[str, Callable[[Scene], Iterator[str]]] = {
    "recalled": _recalled,
    "experience": told_day,
    "own_work": lambda scene: _stated(scene, scene.inputs.summary.lasting.pursuits),
    "their_work": _their_work,
    "seen": _seen,
    "occupation": lambda scene: _stated(scene, scene.inputs.summary.lasting.occupation[:1]),
    "season": _season,
    "day": _day,
    "plan": lambda scene: iter((own_plan(scene),)),
}


def next_thing(scene: Scene, said: Sequence[str] = ()) -> str:
    """Return a sentence on a new topic, to follow those of `said`, "" for none."""
    if scene.tie.dislikes and scene.mine:
        return ""
    done = acts_of(" ".join(said))
    for bring_up in (_invitation, _promised, _news, _asked_around, _topic):
        sentence = bring_up(scene)
        if sentence and scene.is_fresh(sentence) and not acts_of(sentence) & done:
            return sentence
    return ""


def untold(scene: Scene) -> list[News]:
    """Return the news that the other agent has not heard, best first."""
    return [news for news in scene.news if not _has_heard(scene, news)]


def told(scene: Scene, news: News) -> str:
    """Return the sentence that tells the news to the other agent."""
    said = scene.in_own_words(news.core)
    if news.subject == scene.me:
        return scene.say("news.own", news=said)
    is_heard = news.teller not in ("", scene.you, news.subject)
    if is_heard and scene.happens(ODDS["says_who_told"], "who"):
        return scene.say("news.from", news=said, teller=news.teller)
    return scene.say("news.heard", news=said)


def _has_heard(scene: Scene, news: News) -> bool:
    memories, last = scene.inputs.memories, scene.inputs.acquaintance.last_talk
    is_known = news.is_known_to(scene.you, memories, last, scene.now)
    return is_known or any(map(news.is_in, scene.lines))


def _invitation(scene: Scene) -> str:
    for news in untold(scene):
        gathering = news.gathering
        if gathering is None or scene.has_said("invitation"):
            continue
        if is_agreed(scene.inputs.agreements, scene.you, gathering):
            continue
        memories, in_love = scene.inputs.memories, scene.tie.in_love
        if would_invite(scene.me, gathering, memories, in_love=in_love):
            return invitation(scene, gathering)
    return ""


def _promised(scene: Scene) -> str:
    for promise in scene.inputs.promises:
        news = scene.in_own_words(promise.what)
        is_told = any(is_about(text, keys_of(news)) for text in scene.lines)
        if not is_told and not is_over(promise.what, scene.now):
            return scene.say("news.own", news=news)
    return ""


def _news(scene: Scene) -> str:
    fresh = [news for news in untold(scene) if news.strength > TOLD_UNASKED]
    so_far = sum(heard.act == "news" for heard in scene.mine)
    if not fresh or so_far >= NEWS_TOLD_MAX:
        return ""
    news = fresh[0]
    gossip = 1.0 if news.subject == scene.me else ODDS["gossip"]
    likely = ODDS["tells"][scene.tie.closeness] * gossip
    return told(scene, news) if news.presses or scene.happens(likely, "tells") else ""


def _topic(scene: Scene) -> str:
    so_far = sum(heard.act in _TOPIC_ACTS for heard in scene.mine)
    most = ODDS["topics_max"][scene.tie.closeness]
    if so_far >= most or not (scene.happens(ODDS["brings_up"], "topic") or not scene.mine):
        return ""
    return next(filter(scene.is_new, topics(scene)), "")


def _asked_around(scene: Scene) -> str:
    for question in open_questions(scene.inputs.memories, scene.me):
        is_new = not any(stems_of(question) <= stems_of(text) for text in scene.lines)
        if is_new and scene.happens(ODDS["asks_around"], "around"):
            return scene.say("ask_around", question=scene.in_own_words(question))
    return ""
