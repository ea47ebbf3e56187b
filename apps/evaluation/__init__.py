"""Surveys, counts and measures of a history, which change nothing of it (E1-E5)."""
