"""Answers about other agents, and what the interviewed agent would do for them."""

import re
from collections import Counter
from collections.abc import Iterator

from apps.memory.events import MemoryOrigin
from apps.rule_model.interview.interviewee import Interviewee, Statement
from apps.rule_model.knowledge.pursuits import work_of
from apps.rule_model.language.names import first_name, people_in
from apps.rule_model.language.topics import stems_of
from apps.rule_model.language.words import vocabulary

SENTENCES_MAX = 3
_DATA = vocabulary("phrases_interview")
_LIKES = re.compile(_DATA["likes"])
_TALKS = (MemoryOrigin.CONVERSATION, MemoryOrigin.LEARNED)


def who_is(one: Interviewee) -> str:
    """Return what the agent knows of another one, "" for a question that names none."""
    name = one.asked_name()
    if not name or name == one.me:
        return "That's me." if name else ""
    known = one.about(name)
    if known:
        return " ".join(one.say(each) for each in known[:SENTENCES_MAX])
    if name in one.people():
        return f"I've seen {name} about, but I could not say that I know them."
    return f"I don't know anybody called {name}."


def talked(one: Interviewee) -> str:
    """Return whom the agent has talked with, and about what."""
    name = one.asked_name()
    talks: dict[str, Statement] = {}
    for each in one.statements:
        is_gist = each.origin is MemoryOrigin.CONVERSATION
        if each.origin in _TALKS and (is_gist or each.subject_name not in talks):
            talks[each.subject_name] = each
    if name and name != one.me:
        return f"Yes. {one.say(talks[name])}" if name in talks else "Not that I remember."
    said = [one.say(each) for each in talks.values()]
    return " ".join(said[:SENTENCES_MAX]) or "I don't know."


def kind_word(one: Interviewee) -> str:
    """Say something nice to another agent, by how close the two are."""
    name = one.asked_name()
    if not name or not one.about(name):
        return _unknown(name)
    words = _DATA["kind_words"][int(one.tie(name).closeness)]
    why = one.clause(one.about(name)[0].core)
    return f"I'd tell {first_name(name)}: \"{words}.\" I'd say so because {why}."


def company(one: Interviewee) -> str:
    """Choose one to spend time with, of those that the agent has talked with."""
    talks = Counter(each.subject_name for each in one.statements if each.origin in _TALKS)
    ties = {name: one.tie(name) for name in (talks or one.people())}
    liked = [name for name in ties if name and not ties[name].dislikes]
    if not liked:
        return "I don't know. I haven't talked with anybody lately."
    best = max(liked, key=lambda n: (ties[n].in_love, talks[n], ties[n].closeness, n))
    why = next(iter(one.about(best)), None)
    return f"With {best}, because {one.clause(why.core)}." if why else f"With {best}."


def whom_to_ask(one: Interviewee) -> str:
    """Return who of the known agents knows most of what the question is about."""
    topic = re.search(r"\b(?:about|of|on) ([^?]+)", one.question)
    words = stems_of(topic[1] if topic else one.question)
    for each in one.holding(words, 1 / max(1, len(words))):
        names = [name for name in people_in(each.core, (one.me,)) if name != one.me]
        if names or each.teller:
            name = names[0] if names else each.teller
            return f"I'd talk to {name}, because {one.clause(each.core)}."
    return "I don't know whom I'd ask about that."


def friend(one: Interviewee) -> str:
    """Return the given name of the closest agent, "there" for none."""
    ties = {name: one.tie(name) for name in one.people()}
    liked = [name for name in ties if not ties[name].dislikes]
    best = max(liked, key=lambda name: (ties[name].closeness, name), default="there")
    return first_name(best)


def by_liking(one: Interviewee, key: str) -> str:
    """Choose a book or a gift by what the agent knows of another one."""
    name = one.asked_name()
    if not name or not one.about(name):
        return _unknown(name)
    thing = next(_things(one, name), "")
    template = _DATA[key]["knowing" if thing else "unknowing"]
    return str(template).format(first=first_name(name), thing=thing)


def _things(one: Interviewee, name: str) -> Iterator[str]:
    """Yield what another agent likes or works on."""
    for each in one.about(name):
        likes = _LIKES.match(each.core.removeprefix(name))
        if likes:
            yield likes["what"].strip()
    for work in work_of(name, one.given.memories):
        yield "the " + work.removeprefix(f"{name}'s ")


def _unknown(name: str) -> str:
    return f"I don't know {name or 'them'}, so I could not say."
