"""Reacting: whether what somebody perceives changes what they do (paper 4.3.1)."""
