"""Answers questions from memory, in the first person (stand-in, not a language model)."""

import re

from apps.rule_model.dialogue.greetings import doing_in
from apps.rule_model.dialogue.hearing import Heard
from apps.rule_model.dialogue.scene import Scene
from apps.rule_model.reading.concerns import is_asking, is_pursuit
from apps.rule_model.reading.moments import hours_in, when_in
from apps.rule_model.reading.names import first_name, people_in
from apps.rule_model.reading.news import told_in
from apps.rule_model.reading.topics import keys_of, stems_of

_OWN_NAME = re.compile(r"\byour name\b|^\W*(?:and )?who are you\b", re.IGNORECASE)
# "When does the party begin?" is answered by when it is.
_BEGINNING = stems_of("does begin")
# So much of a question's words must be in a memory that answers it.
SHARE_MIN = 0.6
_PLANNED = re.compile(
    r"^plans to (?!sleep|wake|get ready)(?P<what>be at the [\w' ]+?|(?!be\b).+?)"
    r"(?:, then\b.*)?,? (?:at [A-Z].* )?"
    r"from \d.* to \d.* on \w+day"
)
_HOUR = re.compile(r"^until [^(]+?: (?P<what>.+) \((?P<place>[^()]+)\)$")
# What nobody tells others about, and what tells them nothing.
_PRIVATE = re.compile(r"\b(?:sleep|wash|shower|dressed|get ready|bed|easy hour)\b")
_HOMELY = re.compile(r"\b(?:apartment|house|dorm)\b|'s room\b", re.IGNORECASE)
_LATER = ("Later {wants}.", "Next {wants}.", "After this {wants}.")
_GOING = (
    "It's coming along.",
    "Slowly, but I like where it's going.",
    "Better than I thought.",
    "It's a lot of work, but I enjoy it.",
    "Some days better, some days worse.",
    "Not as fast as I'd like.",
)
_UNKNOWING = (
    "No idea, sorry.",
    "I don't know. I've been wondering myself.",
    "I couldn't tell you.",
    "I haven't heard anything about that.",
)
_JUST_DOING = ("Nothing special, just {doing}.", "Just {doing}.")
_NOTHING_MUCH = ("Oh, nothing special.", "Not much, really.", "A bit of this and that.")
MACHINE_ANSWERS = (
    "To be honest with you: I'm not a human being. I'm a computational agent in a simulation.",
    "No, I'm not human: I'm a computational agent, and this town is a simulation.",
    "Truthfully? You are talking with a computational agent of a simulated town.",
)
_ODD = (
    "That's an odd thing to say.",
    "I don't know what you mean by that.",
    "You say the strangest things.",
    "What a peculiar thing to ask.",
    "I'm not sure what you're getting at.",
)


def pursuits(scene: Scene, whose: str) -> list[str]:
    """Return what the memories say that the person is working on, best first."""
    found: dict[str, None] = {}
    for memory in scene.known:
        core = told_in(memory).core
        if not core.startswith(f"{whose} ") or hours_in(core)[0]:
            continue
        if is_pursuit(core, whose):
            found.setdefault(core)
    return list(found)


def later_today(scene: Scene) -> str:
    """Return what the speaker has planned next for today, in their own words, else ""."""
    if scene.now is None:
        return ""
    minute = scene.now.hour * 60 + scene.now.minute
    ahead: list[tuple[int, str]] = []
    for memory in scene.known:
        match = _PLANNED.match(memory.removeprefix(scene.me).strip())
        begins = hours_in(memory)[0]
        if match is None or begins is None or not memory.startswith(scene.me):
            continue
        if begins > minute and when_in(memory, scene.today).day == scene.today:
            wants = scene.in_own_words(f"{scene.me} wants to {match['what']}")
            ahead.append((begins, f"Later {wants}."))
    return next((said for _, said in sorted(ahead) if scene.is_fresh(said)), "")


def next_hour(scene: Scene) -> str:
    """Return what the plan has after this hour, in the speaker's own words, else ""."""
    for plan in scene.given.plans[1:]:
        match = _HOUR.match(plan)
        if match is None or _PRIVATE.search(match["what"]):
            continue
        what, place = match["what"].partition(", then from ")[0], match["place"]
        is_said = place.partition(":")[0] in what or _HOMELY.search(place) is not None
        where = "" if is_said else f" at {place.partition(':')[0]}"
        wants = scene.in_own_words(f"{scene.me} wants to {what}{where}")
        return scene.pick(_LATER, "later", wants=wants)
    return ""


def about_work(scene: Scene, heard: Heard) -> list[str]:
    """Answer what one works on, or how something of it is going."""
    asked = keys_of(heard.about)
    own = [core for core in pursuits(scene, scene.me) if not asked or asked & stems_of(core)]
    going = [scene.pick(_GOING, "going")] if asked else []
    for core in own:
        sentence = f"{scene.in_own_words(core)}."
        if not scene.has_been_told(sentence):
            return [*going, sentence]
    return going or about_day(scene)


def about_day(scene: Scene) -> list[str]:
    """Answer what one is doing, or will be doing later."""
    later = later_today(scene) or next_hour(scene)
    doing = doing_in(scene.given.status)
    if later:
        return [later]
    if doing:
        return [scene.pick(_JUST_DOING, "just", doing=doing)]
    return [scene.pick(_NOTHING_MUCH, "nothing")]


def about_others(scene: Scene, heard: Heard) -> list[str]:
    """Answer who or what something is, as far as a memory knows."""
    if _OWN_NAME.search(heard.sentence):
        return [f"I'm {scene.me}."]
    asked = stems_of(heard.about or heard.sentence) - _BEGINNING
    best, best_share = "", 0.0
    for memory in scene.given.memories:
        if is_asking(memory):
            continue
        core = told_in(memory).core
        share = len(asked & stems_of(core)) / max(len(asked), 1)
        if share > best_share and people_in(core, (scene.me, scene.you)):
            best, best_share = memory, share
    if best_share < SHARE_MIN:
        return [scene.pick(_UNKNOWING, "unknowing")]
    told = told_in(best)
    said = scene.in_own_words(told.core)
    if told.teller and told.teller not in (scene.you, scene.me):
        source = told.teller if told.teller not in told.core else first_name(told.teller)
        return [f"{said[:1].upper()}{said[1:]}.", f"{source} told me."]
    return [f"{said[:1].upper()}{said[1:]}."]


def oddly(scene: Scene) -> list[str]:
    """Answer what makes no sense, as one neighbour answers another."""
    return [scene.pick(_ODD, "odd")]


def truthfully(scene: Scene) -> list[str]:
    """Answer whether one is a human being."""
    return [scene.pick(MACHINE_ANSWERS, "machine") or "I've told you: a computational agent."]
