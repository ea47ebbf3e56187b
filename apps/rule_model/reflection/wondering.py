"""The stand-in's questions: what recent memories are about most, weighted by importance."""

from collections.abc import Iterator

from apps.reflection.chains.questions import RecentMemories, SalientQuestions
from apps.reflection.rules import QUESTION_CHARACTERS_MAX, QUESTIONS_PER_REFLECTION
from apps.rule_model.model import Chance
from apps.rule_model.reflection.phrases import (
    ABOUT_LIFE,
    ABOUT_MATTER,
    ABOUT_PLACE,
    ABOUT_TIE,
    sentence,
)
from apps.rule_model.reflection.reading import Reading


def questions(given: RecentMemories, chance: Chance) -> SalientQuestions:
    """Ask about the weightiest matter, the person who matters most, then about the rest."""
    reading = Reading(given.agent_name, given.memories)
    matters, ties, places = (
        _on_matters(reading, chance),
        _on_ties(reading, chance),
        _on_places(reading, chance),
    )
    asked: dict[str, None] = {}
    for candidates in (matters, ties, matters, ties, places, _on_life(reading)):
        question = next(candidates, None)
        if question is not None and len(question) <= QUESTION_CHARACTERS_MAX:
            asked.setdefault(question)
    for question in _on_life(reading):
        asked.setdefault(question)
    return SalientQuestions(questions=tuple(asked)[:QUESTIONS_PER_REFLECTION])


def _on_matters(reading: Reading, chance: Chance) -> Iterator[str]:
    for matter in reading.matters:
        what = matter.phrase(reading.texts_about(reading.name))
        pattern = chance.choice(ABOUT_MATTER[matter.sort], "matter", matter.noun)
        yield sentence(pattern, who=reading.name, what=what)


def _on_ties(reading: Reading, chance: Chance) -> Iterator[str]:
    for other in reading.people:
        pattern = chance.choice(ABOUT_TIE, "tie", other)
        yield sentence(pattern, who=reading.name, other=other)


def _on_places(reading: Reading, chance: Chance) -> Iterator[str]:
    for place in reading.places:
        yield sentence(
            chance.choice(ABOUT_PLACE, "place", place), who=reading.name, place=place
        )


def _on_life(reading: Reading) -> Iterator[str]:
    for pattern in ABOUT_LIFE:
        yield sentence(pattern, who=reading.name)
