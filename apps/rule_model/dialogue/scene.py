"""A moment in a conversation, as the speaker has it: what is known, and what was said."""

import re
from dataclasses import dataclass
from datetime import date, datetime

from apps.dialogue.inputs import UtteranceInput
from apps.rule_model.knowledge.news import News, news_in
from apps.rule_model.knowledge.relationships import Relationship, relationship
from apps.rule_model.language.moments import spoken
from apps.rule_model.language.names import first_name
from apps.rule_model.language.persons import in_first_person
from apps.rule_model.language.topics import stems_of
from apps.rule_model.model import Chance
from apps.rule_model.phrasebook import PHRASES, Heard


@dataclass(frozen=True, slots=True)
class Scene:
    """What the speaker knows when it is about to speak.

    `theirs` is what the other one has said since the speaker last spoke, by sentences;
    `mine` the speaker's own lines, as they are understood; `news` is best first.
    """

    given: UtteranceInput
    chance: Chance
    tie: Relationship
    news: tuple[News, ...]
    theirs: tuple[Heard, ...]
    mine: tuple[Heard, ...]

    @property
    def me(self) -> str:
        """The full name of the speaker."""
        return self.given.agent_name

    @property
    def you(self) -> str:
        """The full name of the other one."""
        return self.given.other_name

    @property
    def first(self) -> str:
        """The given name of the other one."""
        return first_name(self.you)

    @property
    def now(self) -> datetime:
        """The game time."""
        return self.given.now

    @property
    def today(self) -> date:
        """The date of the conversation."""
        return self.given.now.date()

    @property
    def have_met(self) -> bool:
        """Whether the two know each other."""
        return bool(self.tie.closeness) or self.given.last_talk is not None

    @property
    def lines(self) -> tuple[str, ...]:
        """The texts of all lines so far."""
        return tuple(line.text for line in self.given.lines)

    def say(self, key: str, **slots: str) -> str:
        """Return a sentence of the phrase book, with the names filled in."""
        known = {"first": self.first, "name": self.me, **slots}
        return PHRASES.say(key, self.chance, **known)

    def happens(self, likely: float, *what: str) -> bool:
        """Return whether something happens that is so likely."""
        return self.chance.unit(*what) < likely

    def in_own_words(self, sentence: str) -> str:
        """Return a sentence of a memory as the speaker says it to the other one."""
        said = in_first_person(sentence, self.me, self.you)
        return spoken(said, self.today).strip(" .").replace(". ", ", ")

    def has_said(self, act: str) -> bool:
        """Return whether the speaker has done so in this conversation."""
        return any(heard.act == act for heard in self.mine)

    def is_fresh(self, sentence: str) -> bool:
        """Return whether nobody has said the sentence in this conversation."""
        plain = plain_words(sentence)
        return not any(plain in plain_words(text) for text in self.lines)

    def knows(self, text: str) -> bool:
        """Return whether a memory of the speaker holds the words of the text."""
        words = stems_of(text)
        return bool(words) and any(
            words <= stems_of(one.description) for one in self.given.memories
        )


def scene_of(given: UtteranceInput, chance: Chance) -> Scene:
    """Return the scene of an input."""
    names = (given.agent_name, given.other_name, *names_in(given))
    heard = [(line.speaker, PHRASES.understand(line.text)) for line in given.lines]
    theirs: list[Heard] = []
    for speaker, acts in reversed(heard):
        if speaker == given.agent_name:
            break
        theirs[:0] = acts
    return Scene(
        given=given,
        chance=chance,
        tie=relationship(
            given.agent_name,
            given.other_name,
            given.memories,
            have_talked=given.last_talk is not None,
        ),
        news=tuple(news_in(given.memories, given.now, names, given.agent_name)),
        theirs=tuple(theirs),
        mine=tuple(
            act for speaker, acts in heard if speaker == given.agent_name for act in acts
        ),
    )


def names_in(given: UtteranceInput) -> list[str]:
    """Return the full names of the agents that the memories are about."""
    return list(dict.fromkeys(one.subject_name for one in given.memories if one.subject_name))


def plain_words(text: str) -> str:
    """Return the words of a text without case and punctuation, to compare."""
    return " ".join(re.findall(r"\w+", text.casefold()))
