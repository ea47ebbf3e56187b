"""The stand-in's reflections: rules over the statements given, not a language model (L4)."""

from apps.llm.offline import OfflineAnswer
from apps.reflection.chains.insights import INSIGHTS
from apps.reflection.chains.questions import QUESTIONS
from apps.reflection.offline.concluding import insights
from apps.reflection.offline.wondering import questions

OFFLINE_ANSWERS: dict[str, OfflineAnswer] = {
    QUESTIONS.name: questions,
    INSIGHTS.name: insights,
}
