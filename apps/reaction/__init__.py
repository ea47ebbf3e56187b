"""Reactions of agents to observations (paper 4.3.1)."""
