"""The rules of the rule-based model, with the vocabulary of the worlds of this repository."""

from apps import wiring

TASK_RULES = wiring.rules()
