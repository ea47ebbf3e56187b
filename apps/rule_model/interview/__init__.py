"""Interviews of the rule-based model: answers from the typed input, in the first person."""
