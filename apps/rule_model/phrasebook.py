"""The phrases of speech: one set of templates, to speak from and to understand by.

Each template of data/phrases.yaml is a sentence with slots. It is filled to speak, and
compiled to a pattern to understand what is said. What no template fits is understood by
cues, which are patterns for the words of users.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from apps.rule_model.language.names import straight
from apps.rule_model.language.words import either, english, vocabulary
from apps.rule_model.model import Chance

_SLOT = re.compile(r"\{(\w+)\}")
_SENTENCE = re.compile(r"(?<=[.!?…])\"?\s+(?=[A-Z\"0-9])")
_NAME = r"[A-ZÀ-Þ][\w'-]*(?: [A-ZÀ-Þ][\w'-]*){0,3}"
_SLOT_PATTERNS = dict.fromkeys(("first", "name", "teller", "listener", "source"), _NAME)
_SLOT_PATTERNS["question"] = r"(?:who|what|when|where|whether|if|why|how)\b.+?"
_SLOT_PATTERNS["when"] = r"(?:at|around|from|on|today|tonight|tomorrow)\b.*?"
_LEADS = (
    r"hi|hey|hello|oh|ah|well|so|and|but|now|listen|look|okay|actually|anyway|by the way|"
    r"to be honest|honestly|you know what|guess what"
)
_LEAD = re.compile(rf"^(?:(?:{_LEADS})(?:,| -)? )+", re.IGNORECASE)
_CALLED = re.compile(r"^(?!(?:Yes|No|Sure|Maybe|Perhaps|Thanks|Sorry|Okay)\b)[A-Z][\w'-]+, ")
STATEMENT, REMARK = "statement", "remark"
_WORDS_OF_STATEMENT = 4
_OF_SOMEBODY = re.compile(r"^(?:[Ii](?:'m|'ve|'ll)? |[Mm]y |[Tt]here(?:'s| is) |[A-Z][\w'-]+ )")


@dataclass(frozen=True, slots=True)
class Heard:
    """A sentence as it is understood: the act, its variant, and the values of its slots."""

    act: str
    sentence: str
    slots: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Pattern:
    act: str
    pattern: re.Pattern[str]


class PhraseBook:
    """Templates by key ("news.own"), and the patterns by which they are understood."""

    def __init__(self, content: Mapping[str, Any]) -> None:
        """Compile the templates and the cues of the content once."""
        self._acts: dict[str, Sequence[str]] = {}
        self._cues: list[_Pattern] = []
        for key, entry in content["acts"].items():
            says, cues = (entry, ()) if isinstance(entry, list) else _parts(entry)
            self._acts[key] = says
            self._cues += [_Pattern(_act(key), _cue(text)) for text in cues]
        self._intents: Mapping[str, str] = content["intents"]
        self._reports: Mapping[str, str] = content["reports"]

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of which there are templates."""
        return tuple(key for key, says in self._acts.items() if says)

    def templates(self, key: str) -> Sequence[str]:
        """Return the templates of a key."""
        return self._acts[key]

    def say(self, key: str, chance: Chance, **slots: str) -> str:
        """Return a sentence, one of the templates by chance."""
        template = chance.choice(self._acts[key], "phrase", key)
        said = template.format_map(slots)
        return said[:1].upper() + said[1:]

    def understand(self, text: str) -> list[Heard]:
        """Return the acts of what was said, one for each sentence."""
        plain = straight(" ".join(text.split()))
        parts = (part.strip(' "') for part in _SENTENCE.split(plain))
        return [self._heard(part) for part in parts if part]

    def intent(self, kind: str, **slots: str) -> str:
        """Return an intent as a decision gives it: "greet Ada Finch"."""
        return self._intents[kind].format_map(slots)

    def read_intent(self, text: str) -> Heard | None:
        """Return what an intent means, None for one that is not of these templates."""
        return _first(self._intent_patterns, text)

    def report(self, kind: str, **slots: str) -> str:
        """Return a sentence on what was told, to be remembered."""
        return self._reports[kind].format_map(slots)

    def read_report(self, text: str) -> Heard | None:
        """Return who told whom what, None for a sentence that is no such report."""
        return _first(self._report_patterns, text)

    @cached_property
    def _said_patterns(self) -> list[_Pattern]:
        """The patterns of all templates, those with most words of their own first."""
        found = [(template, key) for key, says in self._acts.items() for template in says]
        found.sort(key=lambda one: -len(_SLOT.sub("", one[0])))
        return [_Pattern(_act(key), _compiled(template)) for template, key in found]

    @cached_property
    def _intent_patterns(self) -> list[_Pattern]:
        return [_Pattern(kind, _compiled(text)) for kind, text in self._intents.items()]

    @cached_property
    def _report_patterns(self) -> list[_Pattern]:
        return [_Pattern(kind, _compiled(text)) for kind, text in self._reports.items()]

    def _heard(self, sentence: str) -> Heard:
        heard = _first(self._said_patterns, sentence)
        if heard is not None:
            return heard
        plain = _CALLED.sub("", _LEAD.sub("", sentence)) or sentence
        bare = plain.rstrip(" .!?…,")
        heard = self._by_cue(plain, sentence) or self._by_cue(sentence, sentence)
        if heard is not None:
            return heard
        words = bare.split()
        tells = len(words) >= _WORDS_OF_STATEMENT and _OF_SOMEBODY.match(bare)
        return Heard(STATEMENT if tells else REMARK, sentence, {"news": bare})

    def _by_cue(self, plain: str, sentence: str) -> Heard | None:
        bare = plain.rstrip(" .!?…,")
        for cue in self._cues:
            match = cue.pattern.search(plain if cue.act == "question" else bare)
            if match is not None:
                return Heard(cue.act, sentence, _slots(match))
        return None


def sentences(parts: Sequence[str]) -> str:
    """Return the sentences as one utterance."""
    return " ".join(part for part in parts if part)


def _parts(entry: Mapping[str, Any]) -> tuple[Sequence[str], Sequence[str]]:
    return entry.get("says", ()), entry.get("cues", ())


def _act(key: str) -> str:
    return key.partition(".")[0]


def _cue(text: str) -> re.Pattern[str]:
    return re.compile(text.replace("GATHERINGS", either(english("gatherings"))), re.IGNORECASE)


def _compiled(template: str) -> re.Pattern[str]:
    return re.compile("".join(_pieces(template.rstrip(".!?"))) + r"[.!?…]*$")


def _pieces(template: str) -> Iterator[str]:
    """Yield the pattern of a template; a slot that occurs again must hold the same."""
    yield "^"
    seen: set[str] = set()
    for at, piece in enumerate(_SLOT.split(template)):
        if at % 2 == 0:
            yield re.escape(piece)
        elif piece in seen:
            yield f"(?P={piece})"
        else:
            seen.add(piece)
            yield f"(?P<{piece}>{_SLOT_PATTERNS.get(piece, '.+?')})"


def _first(patterns: Sequence[_Pattern], text: str) -> Heard | None:
    for one in patterns:
        match = one.pattern.match(text)
        if match is not None:
            return Heard(one.act, text, _slots(match))
    return None


def _slots(match: re.Match[str]) -> dict[str, str]:
    found = match.groupdict().items()
    return {name: value.strip(" ,.!?…") for name, value in found if value}


PHRASES = PhraseBook(vocabulary("phrases"))
"""The templates of data/phrases.yaml."""
