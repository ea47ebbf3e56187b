"""A moment in a conversation, as the speaker has it: what is known, and what was said."""

import re
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from apps.dialogue.inputs import UtteranceInput
from apps.rule_model.content import vocabulary
from apps.rule_model.knowledge.news import News, news_in, tellable
from apps.rule_model.knowledge.relationships import Relationship, relationship
from apps.rule_model.language.grammar import activity_in_first_person, in_first_person
from apps.rule_model.language.moments import spoken
from apps.rule_model.language.subjects import first_name
from apps.rule_model.model import Chance
from apps.rule_model.phrasebook import PHRASES, Heard

# The acts that each of the two may do after the other has done them.
_ALSO = frozenset({"statement", "experience", "plan", "farewell"})
_ANSWERS = frozenset({"accept", "decline", "maybe"})
ODDS: dict[str, Any] = vocabulary("dialogue_odds")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What the speaker (`me`) knows when it is about to speak to another agent (`you`).

    `theirs` are the other agent's sentences since the speaker last spoke, and `mine` those of
    the speaker, as they are understood; `lines` are the texts of all lines, `acts`
    what both have done in them; `news` is best first.
    """

    inputs: UtteranceInput
    chance: Chance
    me: str
    you: str
    now: datetime
    today: date
    tie: Relationship
    news: tuple[News, ...]
    lines: tuple[str, ...]
    acts: frozenset[str]
    theirs: tuple[Heard, ...]
    mine: tuple[Heard, ...]

    def say(self, key: str, **slots: str) -> str:
        """Return a sentence of the phrase book, with the names filled in."""
        known = {"first": first_name(self.you), "name": self.me, **slots}
        return PHRASES.say(key, self.chance, **known)

    def happens(self, likely: float, what: str) -> bool:
        """Return whether something happens that is so likely."""
        return self.chance.unit(what) < likely

    def in_own_words(self, sentence: str) -> str:
        """Return a sentence of a memory as the speaker says it to the other agent."""
        said = in_first_person(sentence, self.me, self.you)
        return spoken(said, self.today).strip(" .").replace(". ", ", ")

    def own_activity(self, activity: str) -> str:
        """Return an activity of the speaker in the speaker's words."""
        return activity_in_first_person(activity, self.me, self.you)

    def others_activity(self, activity: str) -> str:
        """Return an activity of the other agent in words that address it."""
        said = activity_in_first_person(activity, self.you)
        return re.sub(r"\bmy(?=self\b|\b)", "your", said)

    def has_said(self, *acts: str) -> bool:
        """Return whether the speaker has done one of the acts in this conversation."""
        return any(heard.act in acts for heard in self.mine)

    def is_fresh(self, sentence: str) -> bool:
        """Return whether nobody has said the sentence in this conversation."""
        return not any(plain_words(sentence) in plain_words(text) for text in self.lines)

    def is_new(self, sentence: str) -> bool:
        """Return whether neither of the two has done the act of the sentence in this talk."""
        return bool(sentence) and not acts_of(sentence) & (self.acts - _ALSO)


def scene_of(inputs: UtteranceInput, chance: Chance) -> Scene:
    """Return the scene of an input."""
    me, you, memories = inputs.agent_name, inputs.other_name, inputs.memories
    names = dict.fromkeys((me, you, *(one.subject_name for one in memories)))
    in_mind = tellable(memories, inputs.summary.lasting, inputs.now, you)
    heard = [(line.speaker == me, PHRASES.understand(line.text)) for line in inputs.lines]
    mine = [at for at, (is_mine, _) in enumerate(heard) if is_mine]
    latest = heard[mine[-1] + 1 :] if mine else heard
    said = [act for is_mine, acts in heard if is_mine for act in acts]
    theirs = [act for is_mine, acts in latest if not is_mine for act in acts]
    if mine and not any(act.act in _ANSWERS for act in said):
        # Words that crossed with the speaker's own are still to be answered.
        before = (acts for is_mine, acts in heard[: mine[-1]] if not is_mine)
        theirs += [act for acts in before for act in acts if act.act == "invitation"]
    return Scene(
        inputs=inputs,
        chance=chance,
        me=me,
        you=you,
        now=inputs.now,
        today=inputs.now.date(),
        tie=relationship(me, you, memories, inputs.acquaintance),
        news=tuple(news_in(in_mind, inputs.now, names, me)),
        lines=tuple(line.text for line in inputs.lines),
        acts=frozenset(act.act for _, acts in heard for act in acts),
        theirs=tuple(theirs),
        mine=tuple(said),
    )


def acts_of(text: str) -> set[str]:
    """Return the acts of the sentences of a text."""
    return {heard.act for heard in PHRASES.understand(text)}


def plain_words(text: str) -> str:
    """Return the words of a text without case and punctuation, to compare."""
    return " ".join(re.findall(r"\w+", text.casefold()))
