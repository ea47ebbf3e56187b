"""Conversations of the rule-based model: what is said, and what is taken from it.

Speech is text, as between any two agents. Both sides are answered from the typed input
alone; speech is understood by the templates of the phrase book and by cues.
"""

from apps.dialogue.chains.takeaways import TAKEAWAYS
from apps.dialogue.chains.utterance import UTTERANCE
from apps.rule_model.dialogue.takeaways import takeaways
from apps.rule_model.dialogue.utterance import utterance
from apps.rule_model.model import TaskRule

TASK_RULES: dict[str, TaskRule] = {
    UTTERANCE.name: utterance,
    TAKEAWAYS.name: takeaways,
}
