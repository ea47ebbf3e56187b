"""Finds what people are about: a paper, a party, a subject of study (stand-in).

A matter is what somebody makes, studies or waits for. It is found by the nouns that such
matters have in any town; what is merely used, eaten or walked to is none.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

NOUN_WORDS_MAX = 4


class Sort(Enum):
    """What sort of matter it is; each is spoken of in its own way."""

    WORK = "work"
    FIELD = "field"
    EVENT = "event"


@dataclass(frozen=True, slots=True)
class Matter:
    """Something that people are about, by its name: "research paper", "physics"."""

    noun: str
    sort: Sort

    @property
    def stem(self) -> str:
        """The name without the ending that tells one from many."""
        return self.noun.lower().removesuffix("s")

    def is_in(self, text: str) -> bool:
        """Return whether the text speaks of it, of one or of many."""
        return re.search(rf"\b{re.escape(self.stem)}s?\b", text.lower()) is not None

    def phrase(self, texts_about_owner: Iterator[str]) -> str:
        """Return it as it stands in a sentence: "his research paper", "physics".

        Only what was said of its owner tells whose it is.
        """
        if self.sort is Sort.FIELD:
            return self.noun
        owned = re.compile(rf"\b(?:his|her|their) {re.escape(self.stem)}s?\b", re.IGNORECASE)
        found = (owned.search(text) for text in texts_about_owner)
        return next((match.group() for match in found if match), f"the {self.noun}")


_DETERMINED = re.compile(
    r"(?=\b(?P<before>[\w'-]+) (?:the|a|an|his|her|their) "
    rf"(?P<noun>[A-Za-z][\w'-]*(?: [A-Za-z][\w'-]*){{0,{NOUN_WORDS_MAX - 1}}}))"
)
_STUDIED = re.compile(
    r"\b(?:stud(?:y|ies|ying)|teach(?:es|ing)?|talk(?:s|ing|ed)?(?: \w+){0,3} about) "
    r"(?P<noun>[a-z][\w-]*(?: [a-z][\w-]*)?)"
)
_EVENT = re.compile(
    r"(?:party|election|wedding|exhibition|concert|festival|debate|competition|show|exams?|"
    r"performance|premiere|reunion|picnic|celebration|fair|meeting)$",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"a|about|above|after|again|alone|aloud|although|an|and|anew|around|as|at|away|back|"
    r"before|behind|below|beside|but|by|each|every|far|first|for|from|he|her|him|his|"
    r"how|if|in|into|is|it|its|last|like|more|near|neatly|now|of|off|on|once|or|out|"
    r"over|she|so|that|the|their|them|then|they|this|through|till|to|today|together|"
    r"tomorrow|tonight|too|twice|under|until|up|was|what|when|where|which|while|who|"
    r"whose|will|with|without|yesterday",
    re.IGNORECASE,
)
_QUALITIES = re.compile(
    r"another|big|certain|difficult|fresh|good|great|hard|harder|high|little|long|new|"
    r"next|old|other|own|quick|real|second|senior|short|small|third|warm|whole",
    re.IGNORECASE,
)
_WHEREABOUTS = re.compile(
    r"along|around|as|at|behind|by|from|had|has|in|into|is|near|onto|over|than|through|"
    r"to|toward|towards|under|was|with",
    re.IGNORECASE,
)
# What people make and keep at; a pot of soup is not thought over.
_WORK = re.compile(
    r"\b(?:album|animation|app|article|campaign|cocktails?|collection|comic|"
    r"composition|documentary|equations|essay|experiments?|invention|novel|opera|paintings?|"
    r"paper|podcast|poems?|proof|project|research|script|sculpture|series|sketches|songs?|"
    r"speech|startup|statue|symphony|thesis|website)$",
    re.IGNORECASE,
)
_NO_FIELD = re.compile(r"\b(?:about|day|everything|how|nothing|one|politely|something|what)\b")


def matters_in(text: str) -> Iterator[Matter]:
    """Yield what the text may be about, in its order; some of it more than once."""
    for match in _STUDIED.finditer(text):
        noun = _trimmed(match["noun"])
        if noun and not _NO_FIELD.search(noun):
            yield Matter(noun, Sort.FIELD)
    for match in _DETERMINED.finditer(text):
        noun, before = _trimmed(match["noun"]), match["before"]
        if _EVENT.search(noun):
            yield Matter(noun, Sort.EVENT)
        elif _is_work(noun, before):
            yield Matter(noun, Sort.WORK)


def _is_work(noun: str, before: str) -> bool:
    # Anybody reads a book; whoever writes one is at work on it.
    is_own_book = noun == "book" and before in {"writes", "writing"}
    return is_own_book or bool(_WORK.search(noun) and not _WHEREABOUTS.fullmatch(before))


def _trimmed(words: str) -> str:
    """Return the noun without what follows it, and without its plainer qualities."""
    kept: list[str] = []
    for word in words.split():
        is_quality = _QUALITIES.fullmatch(word)
        if _ENDS.fullmatch(word) or (kept and is_quality):
            break
        if not is_quality:
            kept.append(word)
    return " ".join(kept)
