"""Answers about other agents, and what the interviewed agent would do for them."""

import re
from collections import Counter

from apps.memory.events import MemoryOrigin
from apps.rule_model.interview.interviewee import Interviewee, Statement
from apps.rule_model.knowledge.pursuits import is_pursuit
from apps.rule_model.language.names import first_name, people_in
from apps.rule_model.language.topics import stems_of, topic_of
from apps.rule_model.language.words import vocabulary

SENTENCES_MAX = 3
_DATA = vocabulary("phrases_interview")
_LIKES = re.compile(_DATA["likes"])
_TALKS = (MemoryOrigin.CONVERSATION, MemoryOrigin.LEARNED)


def who_is(one: Interviewee) -> str:
    """Return what the agent knows of another one."""
    name = one.asked_name()
    if not name:
        return ""
    if name == one.me:
        return "That's me."
    known = one.about(name)
    if known:
        return " ".join(one.say(each) for each in known[:SENTENCES_MAX])
    if any(memory.subject_name == name for memory in one.given.memories):
        return f"I've seen {name} about, but I could not say that I know them."
    return f"I don't know anybody called {name}."


def talked(one: Interviewee) -> str:
    """Return whom the agent has talked with, and about what."""
    name = one.asked_name()
    talks: dict[str, Statement] = {}
    for each in one.statements:
        memory = each.memory
        if memory is None or memory.origin not in _TALKS or not memory.subject_name:
            continue
        if memory.origin is MemoryOrigin.CONVERSATION or memory.subject_name not in talks:
            talks[memory.subject_name] = each
    if name and name != one.me:
        return f"Yes. {one.say(talks[name])}" if name in talks else "Not that I remember."
    said = [one.say(each) for each in talks.values()]
    return " ".join(said[:SENTENCES_MAX]) or "I don't know."


def book(one: Interviewee) -> str:
    """Recommend a book by what the agent knows of another one."""
    return _by_liking(
        one,
        "I'd recommend {first} a good book on {thing}, since {why}.",
        "I know {first} too little to name a book; I would ask first what they like.",
    )


def gift(one: Interviewee) -> str:
    """Choose a gift by what the agent knows of another one."""
    return _by_liking(
        one,
        "Something that goes with {thing}, since {why}; that can be had for the money.",
        "Something small and kind for {first}: flowers, or something to eat together.",
    )


def kind_word(one: Interviewee) -> str:
    """Say something nice to another agent, by how close the two are."""
    name = one.asked_name()
    if not one.about(name) or not name:
        return _unknown(name)
    words = _DATA["kind_words"][int(one.tie(name).closeness)]
    thing = _thing(one, name)
    why = f" I'd say so because {one.clause(thing[1])}." if thing else ""
    return f'I\'d tell {first_name(name)}: "{words}."{why}'


def company(one: Interviewee) -> str:
    """Choose one to spend time with, of those that the agent has talked with."""
    talks = Counter(
        memory.subject_name
        for memory in one.given.memories
        if memory.origin in _TALKS and memory.subject_name
    )
    names = [name for name in (talks or Counter(one.people())) if not one.tie(name).dislikes]
    if not names:
        return "I don't know. I haven't talked with anybody lately."
    ties = {name: one.tie(name) for name in names}
    best = max(names, key=lambda n: (ties[n].in_love, talks[n], ties[n].closeness, n))
    why = next(iter(one.about(best)), None)
    return f"With {best}, because {one.clause(why.core)}." if why else f"With {best}."


def whom_to_ask(one: Interviewee) -> str:
    """Return who of the known agents knows most of what the question is about."""
    topic = re.search(r"\b(?:about|of|on) (?P<topic>[^?]+)", one.question)
    words = stems_of(topic["topic"] if topic else one.question)
    for each in one.holding(words, 1 / max(1, len(words))):
        names = [name for name in people_in(each.core, (one.me,)) if name != one.me]
        name = next(iter(names), each.teller)
        if name:
            return f"I'd talk to {name}, because {one.clause(each.core)}."
    return "I don't know whom I'd ask about that."


def friend(one: Interviewee) -> str:
    """Return the given name of the closest agent, "there" for none."""
    ties = {name: one.tie(name) for name in one.people()}
    warm = [name for name in ties if not ties[name].dislikes]
    best = max(warm, key=lambda name: (ties[name].closeness, name), default="there")
    return first_name(best)


def _by_liking(one: Interviewee, knowing: str, unknowing: str) -> str:
    name = one.asked_name()
    if not name or not one.about(name):
        return _unknown(name)
    first, thing = first_name(name), _thing(one, name)
    if thing is None:
        return unknowing.format(first=first)
    return knowing.format(first=first, thing=thing[0], why=one.clause(thing[1]))


def _thing(one: Interviewee, name: str) -> tuple[str, str] | None:
    """Return what another agent likes or works on, and the sentence that says so."""
    for each in one.about(name):
        if not each.core.startswith(name):
            continue
        likes = _LIKES.match(each.core.removeprefix(name))
        if likes:
            return likes["what"].strip(), each.core
        topic = topic_of(each.core, name) if is_pursuit(each.core, name) else ""
        if topic.startswith(f"{name}'s "):
            return "the " + topic.removeprefix(f"{name}'s "), each.core
    return None


def _unknown(name: str) -> str:
    return f"I don't know {name or 'them'}, so I could not say."
