"""What reflection asks of the model: what to think over, and what follows (R2)."""

from apps.reflection.chains.insights import INSIGHTS
from apps.reflection.chains.questions import QUESTIONS

CHAINS = (QUESTIONS, INSIGHTS)
