"""The agent that is interviewed, what it knows, and its answers about other agents."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from apps.agents.status import Acquaintance
from apps.interaction.inputs import InterviewInput
from apps.memory.events import MemoryKind, MemoryOrigin
from apps.rule_model.knowledge.gatherings import is_outdated
from apps.rule_model.knowledge.news import told_in
from apps.rule_model.knowledge.pursuits import work_of
from apps.rule_model.knowledge.relationships import Relationship, relationship
from apps.rule_model.language.grammar import in_first_person
from apps.rule_model.language.moments import spoken
from apps.rule_model.language.subjects import (
    first_name,
    people_in,
    stems_of,
    straight,
    with_full_names,
)
from apps.rule_model.language.words import patterns, vocabulary

_DATA = vocabulary("phrases_interview")
_PATTERNS = patterns("interview")
# What was only seen, done, said or noticed in passing is no lasting knowledge.
_LASTING = frozenset(map(MemoryOrigin, _DATA["lasting"]))
SENTENCES_MAX = 3
_TALKS = (MemoryOrigin.CONVERSATION, MemoryOrigin.LEARNED)


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence that the agent knows, its source, and facts of the memory."""

    core: str
    teller: str = ""
    origin: MemoryOrigin = MemoryOrigin.UNKNOWN
    subject_name: str = ""


@dataclass(frozen=True, slots=True)
class Interviewee:
    """What an answer goes by; `statements` are lasting knowledge, best first."""

    inputs: InterviewInput
    me: str
    question: str
    now: datetime
    statements: tuple[Statement, ...]

    def own(self, pattern: str = "") -> Iterator[Statement]:
        """Yield the statements about the agent itself behind whose name the pattern fits."""
        for one in self.statements:
            said = one.core.removeprefix(f"{self.me} ")
            if said != one.core and re.search(pattern, said):
                yield one

    def about(self, name: str) -> list[Statement]:
        """Return what is known of another agent, what the agent itself knows first."""
        found = [one for one in self.statements if name in one.core]
        return sorted(found, key=lambda one: (not one.core.startswith(self.me), one.teller))

    def holding(self, words: frozenset[str], least: float) -> list[Statement]:
        """Return what holds so large a share of the words, what holds most first."""
        shares = [(len(words & stems_of(it.core)), it) for it in self.statements if words]
        ranked = sorted(shares, key=lambda one: -one[0])
        return [it for held, it in ranked if held >= least * len(words)]

    def people(self) -> list[str]:
        """Return the full names of other agents that come up, each once."""
        subjects = (one.subject_name for one in self.inputs.memories)
        named = (name for one in self.statements for name in people_in(one.core, (self.me,)))
        return [name for name in dict.fromkeys((*subjects, *named)) if name and name != self.me]

    def tie(self, name: str) -> Relationship:
        """Return how the agent stands to another one."""
        known = Acquaintance(facts=self.inputs.summary.lasting.relationships)
        return relationship(self.me, name, self.inputs.memories, known)

    def asked_name(self) -> str:
        """Return the agent that the question names, in full or by a known given name."""
        known = (*self.people(), self.me)
        full = people_in(self.question, known)
        words = _PATTERNS["name"].findall(self.question)
        return full[-1] if full else next((n for n in known if first_name(n) in words), "")

    def clause(self, sentence: str) -> str:
        """Return a statement in the first person, as it stands behind "that"."""
        said = spoken(in_first_person(sentence.strip(), self.me), self.now.date())
        return _PATTERNS["both"].sub(r"\g<other> and I", said).rstrip(".")

    def say(self, one: Statement) -> str:
        """Return a statement as a sentence, with its source."""
        clause = self.clause(one.core)
        if one.teller and one.teller != self.me:
            return f"I heard from {one.teller} that {clause}."
        return f"{clause[:1].upper()}{clause[1:]}."


def interviewee(inputs: InterviewInput) -> Interviewee:
    """Return the interviewed agent with all that it knows, its lasting facts first."""
    me, summary = inputs.agent_name, inputs.summary
    lasting = (*summary.lasting.sentences, *summary.lasting.relationships)
    facts = (text.rstrip(".") for text in lasting if text.startswith(me))
    found = {core: Statement(core, origin=MemoryOrigin.DESCRIPTION) for core in facts}
    for memory in inputs.memories:
        is_plan = memory.kind is MemoryKind.PLAN and memory.scheduled is None
        if memory.origin in _LASTING and not is_plan:
            told = told_in(memory, inputs.now)
            core = with_full_names(straight(told.core), (me,))
            if is_outdated(memory, core, inputs.now):
                continue
            statement = Statement(core, told.teller, memory.origin, memory.subject_name)
            found.setdefault(core, statement)
    parts = " ".join((summary.core, summary.occupation, summary.feeling)).split()
    for sentence in _PATTERNS["end"].split(with_full_names(straight(" ".join(parts)), (me,))):
        core = sentence.rstrip(".")
        if core:
            found.setdefault(core, Statement(core))
    return Interviewee(inputs, me, straight(inputs.question), inputs.now, tuple(found.values()))


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
    """Return the conversations of the agent: the others, and the topics."""
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
        return str(_DATA["stranger"]).format(name=name or "them")
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
    topic = _PATTERNS["topic"].search(one.question)
    words = stems_of(topic[1] if topic else one.question)
    for each in one.holding(words, 1 / max(1, len(words))):
        names = (*people_in(each.core, (one.me,)), each.teller)
        for name in filter(None, (name for name in names if name != one.me)):
            return f"I'd talk to {name}, because {one.clause(each.core)}."
    return "I don't know whom I'd ask about that."


def friend(one: Interviewee) -> str:
    """Return the given name of the closest agent, "there" for none."""
    ties = {name: tie for name in one.people() if not (tie := one.tie(name)).dislikes}
    best = max(ties, key=lambda name: (ties[name].closeness, name), default="there")
    return first_name(best)


def by_liking(one: Interviewee, key: str) -> str:
    """Choose a book or a gift by what the agent knows of another one."""
    name = one.asked_name()
    if not name or not one.about(name):
        return str(_DATA["stranger"]).format(name=name or "them")
    thing = next(_things(one, name), "")
    template = _DATA[key]["knowing" if thing else "unknowing"]
    return str(template).format(first=first_name(name), thing=thing)


def _things(one: Interviewee, name: str) -> Iterator[str]:
    """Yield what another agent likes or works on."""
    for each in one.about(name):
        likes = _PATTERNS["likes"].match(each.core.removeprefix(name))
        if likes:
            yield likes["what"].strip()
    for work in work_of(name, one.inputs.memories):
        yield "the " + work.removeprefix(f"{name}'s ")
