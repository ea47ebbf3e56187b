"""The purposes that memories are retrieved for, as events of retrievals name them."""

from enum import StrEnum


class RetrievalPurpose(StrEnum):
    """What retrieved memories are for: mostly the LLM task whose prompt has them."""

    PLANNING = "planning"
    YESTERDAY = "yesterday"
    REACTION = "reaction.decision"
    UTTERANCE = "dialogue.utterance"
    INSIGHTS = "reflection.insights"
    CORE_CHARACTERISTICS = "self_summary.core_characteristics"
    DAILY_OCCUPATION = "self_summary.daily_occupation"
    RECENT_PROGRESS = "self_summary.recent_progress"
    INTERVIEW = "interview.answer"
