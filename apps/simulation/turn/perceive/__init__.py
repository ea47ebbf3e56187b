"""Perceive: what an agent sees, overhears, and knows of others."""
