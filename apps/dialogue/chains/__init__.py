"""What a conversation asks of the model: what to say, and what to take from it."""

from apps.dialogue.chains.takeaways import TAKEAWAYS
from apps.dialogue.chains.utterance import UTTERANCE

CHAINS = (UTTERANCE, TAKEAWAYS)

__all__ = ["CHAINS", "TAKEAWAYS", "UTTERANCE"]
