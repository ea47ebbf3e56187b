"""Counts of a run by day. A day begins at 3:00, when the agents are asleep."""
