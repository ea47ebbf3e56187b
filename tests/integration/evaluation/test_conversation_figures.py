"""The figures of conversations whose words are written by hand, so that they can be counted."""

import pytest

from apps.dialogue.events import EVENTS, Said
from apps.dialogue.models import CONVERSATIONS
from apps.evaluation.quality.counts import RepetitionCount
from apps.evaluation.social.social_measures import ConversationFigures, conversation_figures
from tests.support.projected import ProjectedLog

pytestmark = pytest.mark.django_db

ADA, BEN, CEM, DEE = "ada", "ben", "cem", "dee"
NAMES = {ADA: "Ada Mill", BEN: "Ben Mill", CEM: "Cem Kaya", DEE: "Dee Lind"}
MORNING, CALL, ROUND = "10/ada", "20/cem", "30/ben"


def said(conversation: str, number: int, to: str, text: str) -> Said:
    return Said(
        conversation=conversation, to=to, number=number, text=text, ends=False, memories=()
    )


@pytest.fixture
def log() -> ProjectedLog:
    """Return two talks, of two and of three agents, and words that nobody answers.

    In a second simulation the same words are answered.
    """
    log, elsewhere = (
        ProjectedLog(EVENTS, [CONVERSATIONS]),
        ProjectedLog(EVENTS, [CONVERSATIONS]),
    )
    log.append(10, ADA, said(MORNING, 1, BEN, "Good morning, Ben!"))  # 3 words
    log.append(11, BEN, said(MORNING, 2, ADA, "Good morning, Ada!"))  # 3, repeats the first
    log.append(12, ADA, said(MORNING, 3, BEN, "Will it rain today?"))  # 4
    log.append(20, CEM, said(CALL, 1, ADA, "Hello?"))
    log.append(21, CEM, said(CALL, 2, ADA, "Hello?"))
    log.append(30, BEN, said(ROUND, 1, CEM, "Will it rain today?"))  # 4, repeats the third
    log.append(31, CEM, said(ROUND, 2, BEN, "No."))  # 1
    log.append(32, DEE, said(ROUND, 3, CEM, "Good, so we can have a picnic, Cem Kaya."))  # 9
    for number, agent in enumerate((CEM, ADA), start=1):
        elsewhere.append(20 + number, agent, said(CALL, number, BEN, "Hello?"))
    return log


def figures(log: ProjectedLog, tick: int) -> ConversationFigures:
    return conversation_figures(log.simulation_id, NAMES, as_of_tick=tick)


def test_count_what_is_answered(log: ProjectedLog) -> None:
    assert figures(log, 32) == ConversationFigures(
        conversations=2,
        openings=1,
        # Ada and Ben; of the three in the round, each with each.
        pairs=4,
        utterances=RepetitionCount(count=6, repeated=2),
        utterances_per_conversation=3,
        words_per_utterance=24 / 6,
    )


def test_are_those_of_the_moment(log: ProjectedLog) -> None:
    # Words are no conversation before their answer.
    assert figures(log, 10) == ConversationFigures(
        conversations=0,
        openings=1,
        pairs=0,
        utterances=RepetitionCount(count=0, repeated=0),
        utterances_per_conversation=None,
        words_per_utterance=None,
    )
    found = figures(log, 31)
    assert (found.conversations, found.openings, found.pairs) == (2, 1, 2)
    assert found.utterances == RepetitionCount(count=5, repeated=2)
    assert found.utterances_per_conversation == 2.5
    assert found.words_per_utterance == 15 / 5
