"""What the memory stream asks of the model: how much a memory matters (M3)."""

from apps.memory.chains.importance import IMPORTANCE

CHAINS = (IMPORTANCE,)
