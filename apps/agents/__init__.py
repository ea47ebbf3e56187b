"""Agents: identity, tracks, actions, known places, and the states of objects."""
