"""Interviews with agents."""
