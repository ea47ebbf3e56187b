"""The stand-in's summaries: sentences picked from the statements given, and nothing else.

Each statement about the person belongs to one summary only, by its words, so that the
three do not repeat one another. What the person just happens to be doing is told only
where nothing else is known of how things go.
"""

import re
from collections.abc import Sequence
from enum import Enum, auto

from apps.rule_model.model import Chance, TaskRule
from apps.self_summary.chains.core_characteristics import CORE_CHARACTERISTICS
from apps.self_summary.chains.daily_occupation import DAILY_OCCUPATION
from apps.self_summary.chains.recent_progress import RECENT_PROGRESS
from apps.self_summary.chains.statements import Statements, Summary
from apps.self_summary.rules import SUMMARY_CHARACTERS_MAX

SENTENCES_MAX = 3
SENTENCE_CHARACTERS_MAX = 240


class _About(Enum):
    """What a statement is about; each belongs to one summary."""

    CORE = auto()
    TIE = auto()
    OCCUPATION = auto()
    ROUTINE = auto()
    FEELING = auto()
    MOMENT = auto()


# In this order; what none of them finds is about who the person is.
_SIGNS = (
    (
        _About.TIE,
        r"^ (?:knows|has (?:known|met|heard of|served|had)|thinks|has been (?:\w+ )*"
        r"(?:friends|acquainted|married)|is (?:an? |the )?(?:\w+ )?(?:friend|classmate|"
        r"dormmate|housemate|roommate|neighbou?r|colleague|wife|husband|son|daughter)\b)",
    ),
    (
        _About.FEELING,
        r"\b(?:feels|hop(?:es|ing)|excited|look(?:s|ing) forward|worri\w+|proud|glad|happy|sad|"
        r"wants?|wishes|determined|due|deadline|progress|is planning|in love|crush|upset|"
        r"dreams?|would rather|curious)\b",
    ),
    (
        _About.OCCUPATION,
        r"\b(?:works?|working|owns?|owner|runs|opens|closes|student|studies|studying|professor|"
        r"teach\w*|shopkeeper|bartender|writes|writing|author|poet|painter|artist|composer|"
        r"actor|photographer|engineer|philosopher|class(?:es)?|thesis|job|retired|research|"
        r"earns|paper|novel|book)\b",
    ),
    (_About.ROUTINE, r"\b\d{1,2}(?::\d\d)? ?[ap]m\b|\bevery (?:day|morning|evening|night)\b"),
    (_About.MOMENT, r"^ (?:is|are) (?:now |just |currently )?\w+ing\b"),
)
_FINDERS = tuple((about, re.compile(signs, re.IGNORECASE)) for about, signs in _SIGNS)
_GOING_ON = re.compile(r"^ (?:is|are) (?:now |just |currently )?")


def core_characteristics(given: Statements, chance: Chance) -> Summary:  # noqa: ARG001
    """Tell who the person is and whom they know; their work, if nothing else."""
    return _told(given, (_About.CORE, _About.TIE), (_About.OCCUPATION,))


def daily_occupation(given: Statements, chance: Chance) -> Summary:  # noqa: ARG001
    """Tell the person's work and routine; what they were seen doing, if nothing else."""
    return _told(given, (_About.OCCUPATION, _About.ROUTINE), (_About.MOMENT,), (_About.CORE,))


def recent_progress(given: Statements, chance: Chance) -> Summary:  # noqa: ARG001
    """Tell what the person feels and plans; what they have been doing, if nothing else."""
    return _told(given, (_About.FEELING,), (_About.MOMENT,), (_About.OCCUPATION,))


def _told(given: Statements, *preferred: tuple[_About, ...]) -> Summary:
    """Return the best statements about the first thing, or things, that any are about."""
    own = [(_about(text, given.agent_name), text) for text in _own(given)]
    for things in preferred:
        chosen = [text for thing in things for about, text in own if about is thing]
        if chosen:
            return _summary(chosen, given.agent_name)
    return _summary([text for _, text in own] or given.statements[:1], given.agent_name)


def _own(given: Statements) -> list[str]:
    """Return the statements whose subject is the person, each once, in order of rank."""
    tidy = (" ".join(statement.split()) for statement in given.statements)
    return list(dict.fromkeys(text for text in tidy if text.startswith(given.agent_name)))


def _about(text: str, name: str) -> _About:
    said = text.removeprefix(name)
    return next((about for about, signs in _FINDERS if signs.search(said)), _About.CORE)


def _summary(texts: Sequence[str], name: str) -> Summary:
    """Return the texts as sentences; after the first the given name will do."""
    sentences: list[str] = []
    for text in texts[:SENTENCES_MAX]:
        sentence = _sentence(text, name)
        if sentences:
            sentence = sentence.replace(name, name.split(maxsplit=1)[0], 1)
        if sum(map(len, sentences)) + len(sentence) > SUMMARY_CHARACTERS_MAX:
            break
        sentences.append(sentence)
    return Summary(summary=" ".join(sentences))


def _sentence(text: str, name: str) -> str:
    """Return the statement as a sentence; what is going on becomes what has been going on."""
    said = text.removeprefix(name)
    if said != text and _about(text, name) is _About.MOMENT:
        text = name + _GOING_ON.sub(" has been ", said)
    shortened = text[:SENTENCE_CHARACTERS_MAX].rstrip(" .;,")
    return f"{shortened[:1].upper()}{shortened[1:]}."


TASK_RULES: dict[str, TaskRule] = {
    CORE_CHARACTERISTICS.name: core_characteristics,
    DAILY_OCCUPATION.name: daily_occupation,
    RECENT_PROGRESS.name: recent_progress,
}
