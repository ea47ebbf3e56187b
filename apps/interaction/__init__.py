"""Interviews of agents, which change nothing in the simulation (paper 3.1.2, 6.1)."""
