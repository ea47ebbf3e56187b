"""Reflection: insights that follow from an agent's memories (paper 4.2)."""
