"""What a speaker goes by: the chain's input, read once (stand-in, not a language model)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from apps.dialogue.chains.utterance import TurnToSpeak
from apps.rule_model.dialogue.hearing import sentences_of
from apps.rule_model.dialogue.quoting import unquoted
from apps.rule_model.model import Chance
from apps.rule_model.reading.moments import moment_of, spoken
from apps.rule_model.reading.names import first_name, straight
from apps.rule_model.reading.news import News, news_in
from apps.rule_model.reading.persons import in_first_person
from apps.rule_model.reading.summaries import told_by_summary, traits_in
from apps.rule_model.reading.ties import Closeness, Tie, tie_to
from apps.rule_model.reading.topics import stems_of

_JUST_NOW = re.compile(r"\bminutes? ago\b|\b\d hours? ago\b|\btoday\b", re.IGNORECASE)
# So much of a sentence's words make it told, in whatever order and form.
TOLD_SHARE = 0.8
_RUDE = frozenset({"rude", "toxic", "aggressive", "hostile", "cold"})
_KIN_NAMES = {"father": "Dad", "mother": "Mom"}
_NO_WORD = re.compile(r"[^\w ]")


@dataclass(frozen=True, slots=True)
class Scene:
    """One moment of a conversation, through the eyes of who is about to speak.

    `known` are the sentences that they have in mind, memories first, then what their summary
    says; `news` is what of the memories is news, best first: what is passed on can be traced
    to the memory that held it. `said` is all that was said, plain.
    """

    given: TurnToSpeak
    chance: Chance
    now: datetime | None
    tie: Tie
    known: tuple[str, ...]
    news: tuple[News, ...]
    said: frozenset[str]

    @property
    def me(self) -> str:
        """The speaker's name."""
        return self.given.agent_name

    @property
    def you(self) -> str:
        """The name of the one who is spoken to."""
        return self.given.other_name

    @property
    def address(self) -> str:
        """What the speaker calls the other one."""
        return _KIN_NAMES.get(self.tie.kin, first_name(self.you))

    @property
    def today(self) -> date:
        """The day; long ago where the time is not understood, so that dates stay written."""
        return self.now.date() if self.now else date.min

    @property
    def traits(self) -> frozenset[str]:
        """The speaker's traits, as the summary has them."""
        return traits_in(self.given.summary)

    @property
    def is_curt(self) -> bool:
        """Whether the speaker wastes no kind word: out of dislike, or on mere acquaintances."""
        rude = bool(self.traits & _RUDE) and self.tie.closeness <= Closeness.ACQUAINTED
        return self.tie.dislikes or rude

    @property
    def talked_today(self) -> bool:
        """Whether the two have talked a while ago."""
        return _JUST_NOW.search(self.given.last_talk) is not None

    @property
    def mine(self) -> tuple[str, ...]:
        """What the speaker has said so far."""
        return tuple(line.text for line in self.given.lines if line.speaker == self.me)

    @property
    def theirs(self) -> tuple[str, ...]:
        """What the other one has said so far."""
        return tuple(line.text for line in self.given.lines if line.speaker != self.me)

    def in_own_words(self, sentence: str) -> str:
        """Return a sentence of memory as the speaker says it to the other one today."""
        return spoken(in_first_person(sentence, self.me, self.you), self.today)

    def is_fresh(self, sentence: str) -> bool:
        """Whether nobody has said it in this conversation."""
        return plain(sentence) not in self.said

    def has_been_told(self, sentence: str, *also: str) -> bool:
        """Whether most of what the sentence says was said already, or is in the others."""
        words = stems_of(sentence)
        said = (*(line.text for line in self.given.lines), *also)
        return any(len(words & stems_of(text)) >= TOLD_SHARE * len(words) for text in said)

    def pick(self, phrases: Sequence[str], *what: str | int, **fills: str) -> str:
        """Return one of the phrases that nobody has said yet, filled; "" if none is left."""
        filled = (phrase.format(name=self.address, **fills) for phrase in phrases)
        fresh = [phrase for phrase in filled if all(map(self.is_fresh, sentences_of(phrase)))]
        return self.chance.choice(fresh, *what, len(self.given.lines)) if fresh else ""

    def happens(self, likelihood: float, *what: str | int) -> bool:
        """Whether what is so likely happens, here and now."""
        return self.chance.unit(*what, len(self.given.lines)) < likelihood


def scene_of(given: TurnToSpeak, chance: Chance) -> Scene:
    """Return the moment as the speaker sees it."""
    given = _straightened(given)
    now = moment_of(given.now)
    today = now.date() if now else date.min
    given = replace(given, memories=unquoted(given.memories, today))
    known = (*given.memories, *told_by_summary(given.summary, given.agent_name))
    said = (sentence for line in given.lines for sentence in sentences_of(line.text))
    return Scene(
        given=given,
        chance=chance,
        now=now,
        tie=tie_to(given.other_name, given.agent_name, known),
        known=known,
        news=tuple(news_in(given.memories, now, (given.agent_name, given.other_name))),
        said=frozenset(map(plain, said)),
    )


def _straightened(given: TurnToSpeak) -> TurnToSpeak:
    return replace(
        given,
        summary=straight(given.summary),
        intent=straight(given.intent),
        last_talk=straight(given.last_talk),
        memories=tuple(map(straight, given.memories)),
        lines=tuple(replace(line, text=straight(line.text)) for line in given.lines),
    )


def plain(sentence: str) -> str:
    """Return what is left of a sentence when it is compared with another."""
    return " ".join(_NO_WORD.sub(" ", sentence.lower()).split())
