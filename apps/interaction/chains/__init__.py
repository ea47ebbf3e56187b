"""What an interview asks of the model: one answer (U1)."""

from apps.interaction.chains.answer import ANSWER

CHAINS = (ANSWER,)

__all__ = ["ANSWER", "CHAINS"]
