"""Decide: what an agent does next, and for whom."""
