"""Conversations of the rule-based model: what is said, and what is taken from it."""
