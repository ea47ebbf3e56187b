"""The LLM tasks of dialogue: the next utterance, and the takeaways."""

from apps.dialogue.llm_tasks.takeaways import TAKEAWAYS
from apps.dialogue.llm_tasks.utterance import UTTERANCE

LLM_TASKS = (UTTERANCE, TAKEAWAYS)

__all__ = ["LLM_TASKS", "TAKEAWAYS", "UTTERANCE"]
