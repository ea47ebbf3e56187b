"""Reactions: whether what an agent perceives changes what it does (paper 4.3.1)."""
