"""Interviews of agents, outside of the simulation (paper 3.1.2, 6.1)."""
