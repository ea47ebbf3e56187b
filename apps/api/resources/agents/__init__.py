"""Agents: identity, summary, timeline, known places, arrival and departure."""
