"""What somebody says of others, and would do for them (stand-in, not a language model)."""

import re
from collections import Counter
from collections.abc import Sequence

from apps.rule_model.interview.matter import Matter
from apps.rule_model.reading.concerns import is_pursuit
from apps.rule_model.reading.names import PERSON, first_name, people_in
from apps.rule_model.reading.news import Told
from apps.rule_model.reading.ties import Closeness, Tie, tie_to
from apps.rule_model.reading.topics import stems_of, topic_of

SENTENCES_MAX = 3
_TALKED = re.compile(r"\b(?:talked|told|said to|greeted each other|invited|asked)\b")
_TALKED_ABOUT = re.compile(r"\b(?:talked about|greeted each other)\b")
_LIKES = re.compile(
    r" (?:likes|loves|enjoys|is interested in|cares about) (?!to\b)(?P<what>[\w' -]+)"
)
_NEVER = re.compile(r"\bnever\b")
_TIMED = re.compile(r"\b\d{1,2}(?::\d\d)? ?[ap]m\b")
_MOMENT = re.compile(r"^[A-Z][\w'-]* [A-Z][\w'-]* is (?:\w+ing|talking with)\b")
_COMES = re.compile(
    rf"(?P<who>{PERSON}) "
    r"(?:will|is going to|(?:has )?(?:agreed|promised|decided) to|is|plans to) "
    r"(?:come|coming|go|going|attend|attending|be) (?:to|at) (?P<what>[^,.]+)"
)
_KIND_WORDS = {
    Closeness.FAMILY: "that I love having {first} around, and that I don't say it often enough",
    Closeness.CLOSE: "that {first} is one of the best friends that one can have",
    Closeness.FRIEND: "that I always like running into {first}",
    Closeness.ACQUAINTED: "that it is good to have {first} in town",
}


def who_is(matter: Matter) -> str:
    """Tell what one knows of somebody."""
    name = named_in(matter)
    if not name:
        return ""
    if name in (matter.me, first_name(matter.me)):
        return "That's me."
    known = matter.about(name)
    if not known:
        return f"I don't know anybody called {name}."
    lasting = [told for told in known if told.teller or not _MOMENT.match(told.core)]
    if not lasting:
        return f"I've seen {name} about, but I could not say that I know them."
    best = sorted(
        lasting,
        key=lambda told: (not told.core.startswith(matter.me), bool(told.teller)),
    )
    told = dict.fromkeys(_as_heard(matter, one) for one in best)
    return " ".join(list(told)[:SENTENCES_MAX])


def book(matter: Matter) -> str:
    """Recommend a book by what one knows of somebody."""
    name, known = _known(matter)
    if not known:
        return _too_little(name)
    thing = _thing(matter, name)
    if not thing:
        return (
            f"I know {first_name(name)} too little to name a book; I would ask first what "
            "they like to read."
        )
    because = _because(matter, thing)
    return f"I'd recommend {first_name(name)} a good book on {thing[0]}, {because}."


def gift(matter: Matter) -> str:
    """Choose a present by what one knows of somebody."""
    name, known = _known(matter)
    if not known:
        return _too_little(name)
    thing = _thing(matter, name)
    if not thing:
        return f"Something small and kind for {first_name(name)}: flowers, or a cake to share."
    because = _because(matter, thing)
    return f"Something that goes with {thing[0]}, {because}; that can be had for the money."


def kind_word(matter: Matter) -> str:
    """Say something nice to somebody, by how close one is to them."""
    name, known = _known(matter)
    if not known:
        return _too_little(name)
    tie = _tie(matter, name)
    words = _KIND_WORDS.get(tie.closeness, _KIND_WORDS[Closeness.ACQUAINTED])
    thing = _thing(matter, name)
    said = f"I'd tell {first_name(name)} {words.format(first=first_name(name))}"
    if not thing:
        return f"{said}."
    return f"{said}. I'd add that I think well of this: {matter.clause(thing[1])}."


def company(matter: Matter) -> str:
    """Choose whom to spend time with, of those that one has talked with."""
    talks = [
        told
        for told in matter.told
        if told.teller or (_TALKED.search(told.core) and not _NEVER.search(told.core))
    ]
    talked = Counter(
        name
        for told in talks
        for name in {*people_in(told.core), *people_in(told.teller)}
        if name != matter.me
    )
    friends = [
        name for name in matter.people() if _tie(matter, name).closeness >= Closeness.FRIEND
    ]
    choices = talked or Counter(friends)
    liked = {name: _tie(matter, name) for name in choices}
    liked = {name: tie for name, tie in liked.items() if not tie.dislikes}
    if not liked:
        return "I don't know. I haven't talked with anybody lately."
    name = max(
        liked, key=lambda name: (liked[name].in_love, talked[name], liked[name].closeness, name)
    )
    about = next((told.core for told in talks if name in told.core), "")
    known = [told.core for told in matter.about(name) if not _MOMENT.match(told.core)]
    why = about or next(iter(known), "")
    because = f", because {matter.clause(why)}" if why else ""
    return f"With {name}{because}. I'd like to hear more."


def met(matter: Matter) -> str:
    """Tell whom one has talked with, and about what."""
    talks = [
        (name, told)
        for told in matter.told
        if _TALKED.search(told.core) and not _NEVER.search(told.core)
        for name in people_in(told.core)
        if name != matter.me and told.core.startswith(matter.me)
    ]
    # What they talked about says more than a single thing that was said.
    talks.sort(key=lambda talk: not _TALKED_ABOUT.search(talk[1].core))
    first_of_each = dict(reversed(talks))
    said = dict.fromkeys(_as_heard(matter, told) for told in reversed(first_of_each.values()))
    return " ".join(list(said)[:SENTENCES_MAX])


def guests(matter: Matter) -> str:
    """Tell who has said that they come to what is asked for, "" where nobody has."""
    asked = stems_of(matter.question)
    coming = dict.fromkeys(
        match["who"]
        for told in matter.told
        for match in _COMES.finditer(told.core)
        if asked & stems_of(match["what"])
    )
    names = [name for name in coming if name != matter.me]
    if not names:
        return ""
    listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    says = "has" if len(names) == 1 else "have"
    return f"{listed} {says} agreed to come, as far as I know."


def talked(matter: Matter) -> str:
    """Tell whether one has talked with somebody, the one who is named if somebody is."""
    name = named_in(matter)
    if not name or name == matter.me:
        return met(matter)
    talks = [
        told
        for told in matter.about(name)
        if told.teller == name or (_TALKED.search(told.core) and not _NEVER.search(told.core))
    ]
    if not talks:
        return "Not that I remember."
    talks.sort(key=lambda told: not _TALKED_ABOUT.search(told.core))
    return f"Yes. {_as_heard(matter, talks[0])}"


def _known(matter: Matter) -> tuple[str, list[Told]]:
    name = named_in(matter)
    return name, matter.about(name) if name else []


def named_in(matter: Matter) -> str:
    """Return whom the question names: in full, or by a given name that is known."""
    full = people_in(matter.question, {*matter.people(), matter.me})
    if full:
        return full[-1]
    words = re.findall(r"\b[A-Z][\w'-]+", matter.question)
    for name in dict.fromkeys((*matter.people(), matter.me)):
        if first_name(name) in words[1:]:
            return name
    match = re.search(r"\b(?:is|know|about|of) ([A-Z][\w-]+(?: [A-Z][\w-]+)*)", matter.question)
    return match[1] if match else ""


def _too_little(name: str) -> str:
    whom = name or "them"
    return f"I don't know {whom}, so I could not say."


def _thing(matter: Matter, name: str) -> tuple[str, str] | None:
    """Return what somebody works on or likes, and the sentence that says so."""
    for told in matter.about(name):
        core = told.core
        if not core.startswith(name):
            continue
        likes = _LIKES.match(core.removeprefix(name)) if not _TIMED.search(core) else None
        if likes:
            return likes["what"].strip(), core
        topic = topic_of(core, name) if is_pursuit(core, name) else ""
        if topic.startswith(f"{name}'s "):
            return f"the {topic.removeprefix(f'{name}' + chr(39) + 's ')}", core
    return None


def _because(matter: Matter, thing: tuple[str, str]) -> str:
    return f"since {matter.clause(thing[1])}"


def _tie(matter: Matter, name: str) -> Tie:
    return tie_to(name, matter.me, [told.core for told in matter.told])


def _as_heard(matter: Matter, told: Told) -> str:
    if told.teller and told.teller != matter.me:
        return f"I heard from {told.teller} that {matter.clause(told.core)}."
    return matter.say(told.core)


def nearest(matter: Matter) -> Sequence[str]:
    """Return the names that come up, those of closest friends first."""
    names = dict.fromkeys(matter.people())
    ties = {name: _tie(matter, name) for name in names}
    warm = [name for name in names if not ties[name].dislikes]
    return sorted(warm, key=lambda name: -ties[name].closeness)
