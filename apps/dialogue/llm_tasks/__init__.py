"""What a conversation asks of the model: what to say, and what to take from it."""

from apps.dialogue.llm_tasks.takeaways import TAKEAWAYS
from apps.dialogue.llm_tasks.utterance import UTTERANCE

LLM_TASKS = (UTTERANCE, TAKEAWAYS)

__all__ = ["LLM_TASKS", "TAKEAWAYS", "UTTERANCE"]
