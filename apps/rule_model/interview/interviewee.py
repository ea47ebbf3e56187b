"""An agent that is interviewed: the question, and the statements that it knows."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from apps.interaction.inputs import InterviewInput
from apps.memory.events import MemoryKind, MemoryOrigin
from apps.memory.items import MemoryItem
from apps.rule_model.knowledge.news import told_in
from apps.rule_model.knowledge.relationships import Relationship, relationship
from apps.rule_model.language.moments import spoken
from apps.rule_model.language.names import first_name, people_in, straight, with_full_names
from apps.rule_model.language.persons import in_first_person
from apps.rule_model.language.topics import stems_of
from apps.rule_model.model import Chance

# What only happened to be seen, done or planned, and what was only asked or said.
_PASSING = frozenset(
    {
        MemoryOrigin.OWN_ACTION,
        MemoryOrigin.PERCEIVED_AGENT,
        MemoryOrigin.PERCEIVED_OBJECT,
        MemoryOrigin.PLANNED,
        MemoryOrigin.UTTERANCE,
        MemoryOrigin.OWN_UTTERANCE,
        MemoryOrigin.INTERVIEW,
        MemoryOrigin.CLOSING,
        MemoryOrigin.TURNED_AWAY,
    }
)
_BOTH = re.compile(r"^I and (?P<other>[A-Z]\w+(?: [A-Z]\w+)*)")
_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence that the agent knows, which agent told it, and the memory it is from."""

    core: str
    teller: str = ""
    memory: MemoryItem | None = None


@dataclass(frozen=True, slots=True)
class Interviewee:
    """What an answer goes by; `statements` are lasting knowledge, best first."""

    given: InterviewInput
    chance: Chance
    statements: tuple[Statement, ...]

    @property
    def me(self) -> str:
        """The full name of the agent."""
        return self.given.agent_name

    @property
    def question(self) -> str:
        """What is asked."""
        return self.given.question

    @property
    def now(self) -> datetime:
        """The game time of the interview."""
        return self.given.now

    def own(self, pattern: str = "") -> Iterator[Statement]:
        """Yield the statements about the agent itself behind whose name the pattern fits."""
        for one in self.statements:
            said = one.core.removeprefix(f"{self.me} ")
            if said != one.core and re.search(pattern, said):
                yield one

    def about(self, name: str) -> list[Statement]:
        """Return what is known of another agent, what the agent itself knows first."""
        found = [one for one in self.statements if name in one.core]
        return sorted(
            found, key=lambda one: (not one.core.startswith(self.me), bool(one.teller))
        )

    def holding(self, words: frozenset[str], least: float) -> list[Statement]:
        """Return what holds so large a share of the words, what holds most first."""
        if not words:
            return []
        shares = [len(words & stems_of(one.core)) / len(words) for one in self.statements]
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
        full = people_in(self.question, (*self.people(), self.me))
        if full:
            return full[-1]
        words = set(re.findall(r"\b[A-Z][\w'-]+", self.question))
        known = (*self.people(), self.me)
        return next((name for name in known if first_name(name) in words), "")

    def clause(self, sentence: str) -> str:
        """Return a statement in the first person, as it stands behind "that"."""
        said = spoken(in_first_person(sentence.strip(), self.me), self.now.date())
        return _BOTH.sub(r"\g<other> and I", said).rstrip(".")

    def say(self, one: Statement) -> str:
        """Return a statement as a sentence, with the agent that told it."""
        clause = self.clause(one.core)
        if one.teller and one.teller != self.me:
            return f"I heard from {one.teller} that {clause}."
        return f"{clause[:1].upper()}{clause[1:]}."


def interviewee(given: InterviewInput, chance: Chance) -> Interviewee:
    """Return the agent that is asked, with all that it knows."""
    given = replace(given, question=straight(given.question))
    found: dict[str, Statement] = {}
    for memory in given.memories:
        if memory.origin in _PASSING or (
            memory.kind is MemoryKind.PLAN and not memory.scheduled
        ):
            continue
        told = told_in(memory, given.now)
        core = with_full_names(straight(told.core), (given.agent_name,))
        found.setdefault(core, Statement(core, told.teller, memory))
    summary = given.summary
    for part in (summary.core, summary.occupation, summary.feeling):
        text = with_full_names(" ".join(straight(part).split()), (given.agent_name,))
        for sentence in _END.split(text):
            core = sentence.rstrip(".")
            if core:
                found.setdefault(core, Statement(core))
    return Interviewee(given, chance, tuple(found.values()))
