"""An agent that is interviewed: the question, and the statements that it knows."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from apps.interaction.inputs import InterviewInput
from apps.memory.events import MemoryKind, MemoryOrigin
from apps.rule_model.knowledge.news import told_in
from apps.rule_model.knowledge.relationships import Relationship, relationship
from apps.rule_model.language.grammar import activity_in_first_person, in_first_person
from apps.rule_model.language.moments import spoken
from apps.rule_model.language.names import first_name, people_in, straight, with_full_names
from apps.rule_model.language.topics import stems_of
from apps.rule_model.language.words import vocabulary

# What was only seen, done, said or noticed in passing is no lasting knowledge.
_LASTING = frozenset(map(MemoryOrigin, vocabulary("phrases_interview")["lasting"]))
_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_BOTH = re.compile(r"^I and (?P<other>[A-Z]\w+(?: [A-Z]\w+)*)")
_NAME = re.compile(r"\b[A-Z][\w'-]+")


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence that the agent knows, and the agent that told it; facts of its memory."""

    core: str
    teller: str = ""
    origin: MemoryOrigin = MemoryOrigin.UNKNOWN
    subject_name: str = ""


@dataclass(frozen=True, slots=True)
class Interviewee:
    """What an answer goes by; `statements` are lasting knowledge, best first."""

    given: InterviewInput
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
        shares = [
            len(words & stems_of(one.core)) / max(1, len(words)) for one in self.statements
        ]
        ranked = sorted(range(len(shares)), key=lambda at: -shares[at])
        return [self.statements[at] for at in ranked if shares[at] >= least]

    def people(self) -> list[str]:
        """Return the full names of other agents that come up, each once."""
        subjects = (one.subject_name for one in self.given.memories)
        named = (name for one in self.statements for name in people_in(one.core, (self.me,)))
        return [name for name in dict.fromkeys((*subjects, *named)) if name and name != self.me]

    def tie(self, name: str) -> Relationship:
        """Return how the agent stands to another one."""
        return relationship(self.me, name, self.given.memories)

    def asked_name(self) -> str:
        """Return the agent that the question names, in full or by a known given name."""
        known = (*self.people(), self.me)
        full = people_in(self.question, known)
        words = _NAME.findall(self.question)
        return full[-1] if full else next((n for n in known if first_name(n) in words), "")

    def clause(self, sentence: str) -> str:
        """Return a statement in the first person, as it stands behind "that"."""
        said = spoken(in_first_person(sentence.strip(), self.me), self.now.date())
        return _BOTH.sub(r"\g<other> and I", said).rstrip(".")

    def doing(self, activity: str) -> str:
        """Return an activity of the agent in the first person."""
        return activity_in_first_person(activity, self.me)

    def say(self, one: Statement) -> str:
        """Return a statement as a sentence, with the agent that told it."""
        clause = self.clause(one.core)
        if one.teller and one.teller != self.me:
            return f"I heard from {one.teller} that {clause}."
        return f"{clause[:1].upper()}{clause[1:]}."


def interviewee(given: InterviewInput) -> Interviewee:
    """Return the agent that is asked, with all that it knows."""
    me, summary = given.agent_name, given.summary
    found: dict[str, Statement] = {}
    for memory in given.memories:
        is_plan = memory.kind is MemoryKind.PLAN and memory.scheduled is None
        if memory.origin in _LASTING and not is_plan:
            told = told_in(memory, given.now)
            core = with_full_names(straight(told.core), (me,))
            statement = Statement(core, told.teller, memory.origin, memory.subject_name)
            found.setdefault(core, statement)
    parts = " ".join((summary.core, summary.occupation, summary.feeling)).split()
    for sentence in _END.split(with_full_names(straight(" ".join(parts)), (me,))):
        core = sentence.rstrip(".")
        if core:
            found.setdefault(core, Statement(core))
    return Interviewee(given, me, straight(given.question), given.now, tuple(found.values()))
