"""Reactions of the rule-based model to what is perceived."""
