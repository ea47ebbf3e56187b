"""Counts of a run by day, which are a plug-in."""
