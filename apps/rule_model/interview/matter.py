"""What an answer goes by: the chain's input, read once (stand-in, not a language model)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime

from apps.interaction.chains.answer import QuestionAsked
from apps.rule_model.model import Chance
from apps.rule_model.reading.moments import moment_of, spoken
from apps.rule_model.reading.names import PERSON, people_in, straight
from apps.rule_model.reading.news import Told, told_in
from apps.rule_model.reading.persons import in_first_person
from apps.rule_model.reading.summaries import told_by_summary
from apps.rule_model.reading.topics import stems_of

# A memory of what one just happened to be doing says little of who one is.
_PLAN = re.compile(r" plans (?:to|on) .+ from \S+ [ap]m to \S+ [ap]m on \w+, ")
_BOTH = re.compile(rf"^I and (?P<other>{PERSON})")


@dataclass(frozen=True, slots=True)
class Matter:
    """A question with all that the person can draw on; `told` are the sentences known."""

    given: QuestionAsked
    chance: Chance
    now: datetime | None
    told: tuple[Told, ...]

    @property
    def me(self) -> str:
        """The name of the one who is asked."""
        return self.given.agent_name

    @property
    def today(self) -> date:
        """The day; long ago where the time is not understood."""
        return self.now.date() if self.now else date.min

    @property
    def question(self) -> str:
        """What is asked."""
        return self.given.question

    def own(self) -> Iterator[str]:
        """Yield the sentences about the person, without plans of the day."""
        for told in self.told:
            if told.core.startswith(f"{self.me} ") and not _PLAN.search(told.core):
                yield told.core

    def about(self, name: str) -> list[Told]:
        """Return what is known of somebody."""
        return [told for told in self.told if name in told.core]

    def people(self) -> list[str]:
        """Return the names that come up, each as often as it does."""
        return [
            name
            for told in self.told
            for name in people_in(told.core, (self.me,))
            if name != self.me
        ]

    def holding(self, words: frozenset[str], *, least: float = 1.0) -> list[Told]:
        """Return what holds so large a share of the words, what holds most first."""
        if not words:
            return []
        ranked = [
            (len(words & stems_of(told.core)) / len(words), -index)
            for index, told in enumerate(self.told)
        ]
        good = sorted((pair for pair in ranked if pair[0] >= least), reverse=True)
        return [self.told[-index] for _, index in good]

    def say(self, sentence: str) -> str:
        """Return a sentence of memory in the first person, as one says it today."""
        said = self.clause(sentence)
        return f"{said[:1].upper()}{said[1:]}."

    def clause(self, sentence: str) -> str:
        """Return a sentence of memory as it stands behind "that" or "because"."""
        said = spoken(in_first_person(sentence.strip(), self.me), self.today)
        return _BOTH.sub(r"\g<other> and I", said).rstrip(".")


def matter_of(given: QuestionAsked, chance: Chance) -> Matter:
    """Return the question as the stand-in sees it."""
    given = replace(
        given,
        question=straight(given.question),
        summary=straight(given.summary),
        memories=tuple(map(straight, given.memories)),
    )
    read = [told_in(memory) for memory in given.memories]
    from_summary = [Told(core) for core in told_by_summary(given.summary, given.agent_name)]
    told = dict.fromkeys(told for told in (*read, *from_summary) if told.core)
    return Matter(given, chance, moment_of(given.now), tuple(told))
