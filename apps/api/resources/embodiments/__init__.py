"""Embodiments: users who act for an agent, or as a visitor."""
