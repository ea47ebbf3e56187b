"""The stand-in's answers for conversations: rules, not a language model (L4).

Both sides of a talk are answered from the chain's typed input alone: who has no news in
mind passes none on. What it is not: it understands nothing of what is said. It hears acts by
patterns (a greeting, an invitation, news), answers each from tables of phrases and from
sentences of memory put into the first person, and takes away what it can put into a
sentence with names and dates.
"""

from apps.dialogue.chains.takeaways import TAKEAWAYS
from apps.dialogue.chains.utterance import UTTERANCE
from apps.dialogue.offline.takeaways import takeaways
from apps.dialogue.offline.utterance import utterance
from apps.llm.offline import OfflineAnswer

OFFLINE_ANSWERS: dict[str, OfflineAnswer] = {
    UTTERANCE.name: utterance,
    TAKEAWAYS.name: takeaways,
}
