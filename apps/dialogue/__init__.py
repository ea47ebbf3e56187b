"""Dialogue: conversations of agents, and the memories of them (paper 4.3.2)."""
