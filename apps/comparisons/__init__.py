"""Comparisons of two histories: first differences, their causes, and measures (V4)."""
