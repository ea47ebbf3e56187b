"""What reacting asks of the model: go on, or do something about it."""

from apps.reaction.chains.decision import DECISION

CHAINS = (DECISION,)

__all__ = ["CHAINS", "DECISION"]
