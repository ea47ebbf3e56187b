"""The phrases of speech: one set of templates, to speak from and to understand by.

A template of data/phrases.yaml is filled to speak, and compiled to a pattern to understand.
Cues are patterns for other words, such as those of users.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from apps.rule_model.content import either, english, patterns, vocabulary
from apps.rule_model.language.subjects import straight
from apps.rule_model.model import Chance

_PATTERNS = patterns("phrasebook")
_SLOT_PATTERNS = {name: slot.pattern for name, slot in patterns("slots").items()}
_STATEMENT_WORDS = 4


@dataclass(frozen=True, slots=True)
class Heard:
    """A sentence as it is understood: the act, and the values of its slots."""

    act: str
    sentence: str
    slots: Mapping[str, str] = field(default_factory=dict)


class PhraseBook:
    """Templates by key ("news.own"), and the patterns by which they are understood.

    An entry is a list of templates, or a mapping of `says` and `cues`. The act of a key is
    what stands before its dot.
    """

    def __init__(self, entries: Mapping[str, Any]) -> None:
        parts = {
            key: entry if isinstance(entry, dict) else {"says": entry}
            for key, entry in entries.items()
        }
        self.templates: dict[str, Sequence[str]] = {
            key: entry["says"] for key, entry in parts.items() if entry.get("says")
        }
        said = [(text, key) for key, says in self.templates.items() for text in says]
        # What has most words of its own comes first.
        said.sort(key=lambda one: -len(_PATTERNS["slot"].sub("", one[0])))
        self._patterns = [(_act(key), _compiled(text)) for text, key in said]
        events = either(english("gatherings"))
        cues = [(cue, key) for key, entry in parts.items() for cue in entry.get("cues", ())]
        self._cues = [
            (_act(key), re.compile(cue.replace("GATHERINGS", events), re.I))
            for cue, key in cues
        ]

    def say(self, key: str, chance: Chance, **slots: str) -> str:
        """Return a sentence, one of the templates by chance."""
        said = chance.choice(self.templates[key], "phrase", key).format_map(slots)
        return said[:1].upper() + said[1:]

    def fill(self, key: str, **slots: str) -> str:
        """Return the first template of the key with its slots filled."""
        return self.templates[key][0].format_map(slots)

    def read(self, text: str) -> Heard | None:
        """Return what a text of one of the templates means, None for any other text."""
        return _first(self._patterns, text, text)

    def understand(self, text: str) -> list[Heard]:
        """Return the acts of what was said, one for each sentence."""
        plain = straight(" ".join(text.split()))
        parts = (part.strip(' "') for part in _PATTERNS["sentence"].split(plain))
        return [self._heard(part) for part in parts if part]

    def _heard(self, sentence: str) -> Heard:
        plain = _PATTERNS["called"].sub("", _PATTERNS["lead"].sub("", sentence)) or sentence
        bare = plain.rstrip(" .!?…,")
        whole = sentence.rstrip(" .!…,")
        heard = self.read(sentence) or _first(self._cues, bare, sentence)
        heard = heard or _first(self._cues, whole.rstrip("?"), sentence)
        if heard is not None:
            return heard
        tells = len(bare.split()) >= _STATEMENT_WORDS and _PATTERNS["of_somebody"].match(bare)
        act = "question" if whole.endswith("?") else "statement" if tells else "remark"
        return Heard(act, sentence, {"news": bare})


def _act(key: str) -> str:
    return key.partition(".")[0]


def _compiled(template: str) -> re.Pattern[str]:
    """Return the pattern of a template; a slot that occurs again must hold the same."""
    pieces = _PATTERNS["slot"].split(template.rstrip(".!?"))
    slots = pieces[1::2]
    for at, slot in enumerate(slots):
        pattern = _SLOT_PATTERNS.get(slot, ".+?")
        is_again = slot in slots[:at]
        pieces[2 * at + 1] = f"(?P={slot})" if is_again else f"(?P<{slot}>{pattern})"
    pieces[::2] = map(re.escape, pieces[::2])
    return re.compile("^" + "".join(pieces) + r"[.!?…]*$")


def _first(
    patterns: Sequence[tuple[str, re.Pattern[str]]], text: str, sentence: str
) -> Heard | None:
    for act, pattern in patterns:
        match = pattern.search(text)
        if match is not None:
            found = match.groupdict().items()
            slots = {name: value.strip(" ,.!?…") for name, value in found if value}
            return Heard(act, sentence, slots)
    return None


_DATA = vocabulary("phrases")
PHRASES = PhraseBook(_DATA["acts"])
"""What is said in conversations."""
INTENTS = PhraseBook(_DATA["intents"])
"""What an agent means to say when it opens a conversation."""
REPORTS = PhraseBook(_DATA["reports"])
"""The form in which news is remembered."""
