"""The purposes of retrievals, as recorded in their events."""

from enum import StrEnum


class RetrievalPurpose(StrEnum):
    """The purpose of a retrieval: mostly the LLM task whose prompt has the memories."""

    PLANNING = "planning"
    REACTION = "reaction.decision"
    UTTERANCE = "dialogue.utterance"
    INSIGHTS = "reflection.insights"
    CORE_CHARACTERISTICS = "self_summary.core_characteristics"
    DAILY_OCCUPATION = "self_summary.daily_occupation"
    RECENT_PROGRESS = "self_summary.recent_progress"
    INTERVIEW = "interview.answer"


# One for each of the three summaries of a summary description (S1).
SUMMARY_PURPOSES = (
    RetrievalPurpose.CORE_CHARACTERISTICS,
    RetrievalPurpose.DAILY_OCCUPATION,
    RetrievalPurpose.RECENT_PROGRESS,
)
