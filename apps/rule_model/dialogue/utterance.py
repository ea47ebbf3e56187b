"""What an agent says next in a conversation (D1, D4)."""

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta

from apps.agents.spoken_words import UTTERANCE_CHARACTERS_MAX, UTTERANCE_WORDS_MAX
from apps.dialogue.inputs import UtteranceInput
from apps.dialogue.llm_tasks.utterance import Utterance
from apps.memory.events import MemoryOrigin
from apps.rule_model.dialogue.agenda import (
    EVENING,
    MORNING_ENDS,
    asked_about,
    attended,
    is_told_of,
    next_thing,
    own_plan,
    past_of,
    told,
    told_day,
    untold,
)
from apps.rule_model.dialogue.invitations import answer, invitation, proposed
from apps.rule_model.dialogue.scene import ODDS, Scene, acts_of, plain_words, scene_of
from apps.rule_model.knowledge.gatherings import gathering_in
from apps.rule_model.knowledge.news import is_bad, is_for_everybody, strength_of, told_in
from apps.rule_model.knowledge.relationships import (
    confidants_in,
    is_pursuit,
    questions,
    relationship,
)
from apps.rule_model.language import subjects
from apps.rule_model.language.grammar import in_third_person
from apps.rule_model.language.moments import is_over, written
from apps.rule_model.model import Chance
from apps.rule_model.phrasebook import INTENTS, Heard

# A speaker brings up no new topic after this many lines.
LINES_MAX = 6
# An agent says goodbye if its plan leads it to another place within this time.
SOON = timedelta(minutes=15)
# The acts after which the other agent may expect an answer.
_AWAITING = frozenset(ODDS["awaiting"].split())

REPLIES_MAX, BIG_NEWS = 3, 6.0
SAME_DAY_MINUTES = 12 * 60
# The share of the words of a question, or of an intent, that what answers it must hold.
SHARE_MIN = 0.6
# The acts of statements. One word answers them if nothing else needs an answer.
_TELLS = frozenset({"statement", "plan", "experience"})
_ASKED_ONLY = subjects.stems_of("know think tell anything something")
_MANNERS = frozenset({"greeting", "introduction"})
_NOT_TOLD = frozenset(map(MemoryOrigin, ODDS["not_told"].split()))


def replies(scene: Scene) -> list[str]:
    """Return the sentences that answer the latest words of the other agent."""
    latest = {heard.act: heard for heard in reversed(scene.theirs)}
    heard = [one for one in scene.theirs if one.act in _REPLIES and latest[one.act] is one]
    said = dict.fromkeys(text for one in heard for text in _REPLIES[one.act](scene, one))
    return [text for text in said if text and scene.is_fresh(text)][:REPLIES_MAX]


def greeting(scene: Scene) -> str:
    """Return a greeting that fits the hour and the latest conversation."""
    last = scene.inputs.acquaintance.last_talk
    is_near = bool(scene.inputs.acquaintance.home)
    if last is not None and last.minutes_ago < SAME_DAY_MINUTES and not is_near:
        return scene.say("greeting.again")
    by_hour = scene.happens(ODDS["greets_by_hour"], "hour")
    if by_hour and scene.now.hour < MORNING_ENDS:
        return scene.say("greeting.morning")
    if is_near:
        return scene.say("greeting.home")
    is_evening = by_hour and scene.now.hour >= EVENING
    return scene.say("greeting.evening" if is_evening else "greeting")


def _greet(scene: Scene, _: Heard) -> list[str]:
    is_introduced = any(heard.act == "introduction" for heard in scene.theirs)
    is_new = is_introduced and not scene.tie.closeness
    return [] if is_new or scene.has_said("greeting") else [greeting(scene)]


def _introduce(scene: Scene, heard: Heard) -> list[str]:
    if scene.tie.closeness or scene.has_said("introduction"):
        return _greet(scene, heard)
    first = subjects.first_name(heard.slots.get("name", scene.you))
    return [scene.say("introduction.back", first=first)]


def _feel(scene: Scene, _: Heard) -> list[str]:
    activity = scene.own_activity(scene.inputs.status.activity)
    if activity and scene.happens(ODDS["tells_of_work"], "busy"):
        return [scene.say("feeling.busy", activity=activity)]
    return [scene.say("feeling")]


def _invited(scene: Scene, heard: Heard) -> list[str]:
    gathering = proposed(heard, scene.you, scene.me, scene.today)
    if gathering is None:
        return []
    said = answer(scene, gathering)
    is_refused = "decline" in acts_of(" ".join(said))
    is_news = gathering.host == scene.you and not is_refused
    return [*said, _promise(scene, gathering.in_full) if is_news else ""]


def _promise(scene: Scene, news: str) -> str:
    """Return the promise to tell the news to an agent that is close to the speaker, or ""."""
    known = confidants_in(scene.inputs.summary.lasting.relationships)
    here = {scene.me, scene.you, *scene.inputs.besides, *scene.inputs.within_hearing}
    absent = [name for name in known if name not in here and name not in news]
    promises = absent and scene.happens(ODDS["passes_on"], "passes on")
    return scene.say("promise.to", to=scene.chance.choice(absent, "to")) if promises else ""


def _after_asking(key: str) -> Callable[[Scene, Heard], list[str]]:
    return lambda scene, _: [scene.say(key)] if scene.has_said("invitation") else []


def _informed(scene: Scene, heard: Heard) -> list[str]:
    core = _core(scene, heard)
    words = subjects.stems_of(core)
    if any(words <= subjects.stems_of(one.description) for one in scene.inputs.memories):
        return [scene.say("known")]
    if is_for_everybody(core):
        return [scene.say("wonder"), scene.say("promise")]
    if is_over(core, scene.now):
        return [scene.say("opinion.past")]
    said = [scene.say("wonder"), _opinion(scene, core)]
    return [*([scene.say("sympathy")] if is_bad(core) else said), _promise(scene, core)]


def _opinion(scene: Scene, core: str) -> str:
    """Return the speaker's opinion of news, which depends on its opinion of the subject."""
    subject = subjects.subject_of(core, (scene.you, scene.me))
    if subject == scene.you:
        is_glad = scene.tie.is_warm and strength_of(core, subject) < BIG_NEWS
        key = "cool" if scene.tie.dislikes else "glad" if is_glad else "luck"
        return scene.say(f"opinion.{key}")
    opinion = relationship(scene.me, subject, scene.inputs.memories).opinion if subject else 0
    key = ("neutral", "likes", "dislikes")[opinion]
    return scene.say(f"opinion.{key}", first=subjects.first_name(subject))


def _told(scene: Scene, heard: Heard) -> list[str]:
    """React to a statement: with a question on the other agent's work, or with interest."""
    core = _core(scene, heard)
    if is_bad(core) or is_for_everybody(core):
        return _informed(scene, heard)
    topic = subjects.topic_of(core, scene.you) if is_pursuit(core, scene.you) else ""
    thing = topic.partition(" at ")[0].removeprefix(f"{scene.you}'s ")
    is_new = thing and thing != topic and not scene.has_said("ask_progress")
    asks = is_new and scene.happens(ODDS["asks_on"], "progress")
    word = "interest.met" if "introduction" in scene.acts else "interest"
    asked = asked_about(scene, thing) if asks else ""
    return [*_word(scene, heard, word), asked]


def _question(scene: Scene, heard: Heard) -> list[str]:
    asked = heard.slots.get("question", heard.sentence)
    return [_about(scene, in_third_person(asked, scene.you, scene.me))]


def _core(scene: Scene, heard: Heard) -> str:
    """Return what a sentence tells, in the third person and with dates in full."""
    said = heard.slots.get("news", "")
    return written(in_third_person(said, scene.you, scene.me), scene.today) if said else ""


def _says(key: str) -> Callable[[Scene, Heard], list[str]]:
    return lambda scene, _: [scene.say(key)]


def _about_day(scene: Scene) -> str:
    """Return what the speaker is going to do today, or does now."""
    plan, status = own_plan(scene), scene.inputs.status
    if not plan and scene.has_said("plan"):
        return ""
    if not plan and status.activity and not status.is_before_talk:
        return scene.say("plan.now", activity=scene.own_activity(status.activity))
    return plan or scene.say("nothing_planned")


def _word(scene: Scene, heard: Heard, key: str) -> list[str]:
    """Return a word on a statement if it is the latest and nothing else needs an answer."""
    told = [one for one in scene.theirs if one.act in _REPLIES and one.act not in _MANNERS]
    is_all = all(one.act in _TELLS for one in told) and told[-1].act == heard.act
    return [scene.say(key)] if is_all else []


def _told_day(scene: Scene, heard: Heard) -> list[str]:
    """React to an account of a day: with a question, an own account, or a word."""
    word = _word(scene, heard, "told_day")
    asks = scene.tie.closeness and scene.happens(ODDS["asks_how"], "how")
    if word and asks and "ask_how" not in scene.acts:
        return [scene.say("ask_how")]
    own = next(told_day(scene), "") if scene.happens(ODDS["tells_too"], "too") else ""
    return [*word, "" if scene.has_said("experience") else own]


def _told_plan(scene: Scene, heard: Heard) -> list[str]:
    """React to a plan of the other agent: with a word, and perhaps with an own plan."""
    tells = not scene.has_said("plan") and scene.happens(ODDS["tells_too"], "too")
    near = ".home" if scene.inputs.acquaintance.home else ""
    said = _word(scene, heard, f"plan_heard{near}")
    return [*said, own_plan(scene) if tells else ""]


def _recalled(scene: Scene, heard: Heard) -> list[str]:
    """Return the answer to words on a gathering that is over."""
    there = attended(scene, heard.sentence)
    if there is None:
        return [scene.say("absent")]
    whose = {scene.me: ".host", scene.you: ".guest"}.get(there.gathering.host, "")
    return [scene.say(f"same{whose}")]


def _about_progress(scene: Scene) -> list[str]:
    """Return the progress of the speaker's work, and what the work is."""
    own = (m.description for m in scene.inputs.memories if is_pursuit(m.description, scene.me))
    said = scene.in_own_words(next((one for one in own if not is_over(one, scene.now)), ""))
    return [scene.say("progress"), f"{said[:1].upper()}{said[1:]}." if said else ""]


def _about(scene: Scene, question: str) -> str:
    """Return the answer of a memory to a question, or that the speaker does not know."""
    asked = subjects.stems_of(question) - _ASKED_ONLY
    for news in scene.news:
        if asked and len(asked & subjects.stems_of(news.core)) >= SHARE_MIN * len(asked):
            return told(scene, news) if news in untold(scene) else scene.say("known")
    found, best = "", SHARE_MIN
    wondered = questions(scene.inputs.memories, scene.me)
    for memory in scene.inputs.memories:
        core = told_in(memory, scene.now).core
        share = len(asked & subjects.stems_of(core)) / max(1, len(asked))
        is_asking = any(question in core for question in wondered)
        is_told = core.startswith(scene.me) or subjects.people_in(core)
        if memory.origin in _NOT_TOLD or is_asking or not is_told:
            continue
        if share > best or (share == best and not found):
            found, best = core, share
    if not found:
        return scene.say("unknowing")
    said = scene.in_own_words(found)
    is_own = found.startswith(scene.me)
    return f"{said[:1].upper()}{said[1:]}." if is_own else scene.say("news.heard", news=said)


_REPLIES: dict[str, Callable[[Scene, Heard], Sequence[str]]] = {
    **{act: _says(key) for act, key in ODDS["answers"].items()},
    "greeting": _greet,
    "introduction": _introduce,
    "how_are_you": _feel,
    "invitation": _invited,
    **{act: _after_asking(key) for act, key in ODDS["after_asking"].items()},
    "news": _informed,
    "remark": lambda scene, heard: (
        _informed(scene, heard) if is_for_everybody(_core(scene, heard)) else []
    ),
    "statement": _told,
    "plan": _told_plan,
    "experience": _told_day,
    "ask_past_day": lambda scene, _: [scene.say("went"), next(told_day(scene), "")],
    "ask_past": lambda scene, heard: [past_of(scene, heard.sentence) or scene.say("absent")],
    "recall": _recalled,
    "ask_day": lambda scene, _: [_about_day(scene)],
    "ask_progress": lambda scene, _: _about_progress(scene),
    **dict.fromkeys(("ask_around", "question"), _question),
}


def utterance(inputs: UtteranceInput, chance: Chance) -> Utterance:
    """Return the opening of a conversation, or the reply to what was said last."""
    scene = scene_of(inputs, chance)
    meant = subjects.stems_of(inputs.intent) - subjects.stems_of(inputs.other_name)
    told = meant & subjects.stems_of(inputs.since)  # in a talk since the plan
    if inputs.since and not inputs.lines and len(told) >= SHARE_MIN * len(meant):
        return Utterance(utterance="", ends=True)
    said, ends = _reply(scene) if scene.theirs else (_opening(scene), False)
    text = _spoken(said)
    if not text or plain_words(text) in map(plain_words, scene.lines):
        text, ends = _spoken(_closing(scene)), True
    return Utterance(utterance=text, ends=ends, leaves=ends and _leaves(scene))


def _spoken(said: Sequence[str]) -> str:
    """Return the sentences as one utterance, as many as may be said at once."""
    words = " ".join(said).split()[:UTTERANCE_WORDS_MAX]
    return " ".join(words)[:UTTERANCE_CHARACTERS_MAX].strip()


def _opening(scene: Scene) -> list[str]:
    meant = _intended(scene)
    fresh = meant if scene.is_fresh(meant) else ""
    said = fresh or next_thing(scene) or scene.say("how_are_you")
    if scene.mine:  # a speaker without an answer does not greet again
        return [said]
    return [greeting(scene), "" if scene.tie.closeness else scene.say("introduction"), said]


def _intended(scene: Scene) -> str:
    """Return the sentence that says what the speaker wants to say."""
    intent = " ".join(scene.inputs.intent.split()).rstrip(".")
    meant = INTENTS.read(intent)
    said = _INTENDED[meant.act](scene, meant.slots) if meant is not None else None
    if said is None and intent:
        return scene.say("meant", what=scene.in_own_words(intent))
    return said or ""


def _invite(scene: Scene, slots: Mapping[str, str]) -> str | None:
    meant = gathering_in(slots["gathering"], scene.today)
    known = (news.gathering for news in scene.news if news.gathering is not None)
    gathering = next((one for one in known if meant and meant.keys <= one.keys), meant)
    return None if gathering is None else invitation(scene, gathering)


def _tell(scene: Scene, slots: Mapping[str, str]) -> str | None:
    known = next((news for news in scene.news if news.core == slots["news"]), None)
    if known is not None:
        return told(scene, known)
    return scene.say("news.own", news=scene.in_own_words(slots["news"]))


def _intended_greeting(scene: Scene, _: Mapping[str, str]) -> str | None:
    asks = scene.tie.closeness and scene.happens(ODDS["asks_how_it_goes"], "greets")
    return scene.say("how_are_you") if asks else ""


_INTENDED = {"invite": _invite, "tell": _tell, "greet": _intended_greeting}


def _reply(scene: Scene) -> tuple[list[str], bool]:
    """Return the sentences of the reply, and whether they end the conversation."""
    acts = {heard.act for heard in scene.theirs}
    if "farewell" in acts:
        thanked = [scene.say("welcome")] if "thanks" in acts else []
        return [*thanked, scene.say("farewell")], True
    said = replies(scene)
    if scene.inputs.utterances_left <= 2:
        return [*said, *_closing(scene)], True
    asks = any(sentence.endswith("?") for sentence in said)
    more = "" if asks or len(scene.lines) >= LINES_MAX else next_thing(scene, said)
    if more or asks:
        return [*said, more], False
    is_waited_for = bool(acts & _AWAITING) and len(scene.lines) < LINES_MAX
    if is_waited_for and said:
        return said, False
    is_enough = bool(said) and not _leaves(scene) and scene.happens(ODDS["adds_nothing"], "end")
    return [*said, *([] if is_enough else _closing(scene))], True


def _leaves(scene: Scene) -> bool:
    """Return whether the plan is about to lead the speaker to another place."""
    onward = scene.inputs.departure
    return onward is not None and onward.leaves_place and onward.starts - scene.now <= SOON


def _closing(scene: Scene) -> list[str]:
    """Return the last words, with a farewell only if the speaker leaves."""
    onward = scene.inputs.departure
    if onward is None or not _leaves(scene):
        return [_staying(scene)]
    says_why = scene.happens(ODDS["says_why_it_leaves"], "leaving")
    activity = scene.own_activity(onward.activity)
    return [scene.say("leaving", activity=activity) if says_why else "", scene.say("farewell")]


def _staying(scene: Scene) -> str:
    """Return the last words of a speaker that stays, by tie and activity."""
    doing = scene.inputs.status.activity
    if is_told_of(doing) and scene.happens(ODDS["back_to_work"], "back"):
        return scene.say("staying.back", activity=scene.own_activity(doing))
    if scene.inputs.acquaintance.home:
        return scene.say("staying.home")
    return scene.say("staying.met" if "introduction" in scene.acts else "staying")
