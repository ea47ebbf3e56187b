"""The stand-in's answers for conversations: rules, not a language model (L4).

Both sides of a talk are answered from the chain's typed input alone: who has no news in
mind passes none on. What it is not: it understands nothing of what is said. It hears acts by
patterns (a greeting, an invitation, news), answers each from tables of phrases and from
sentences of memory put into the first person, and takes away what it can put into a
sentence with names and dates.
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
