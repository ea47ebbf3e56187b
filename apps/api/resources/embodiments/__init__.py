"""Embodiments: control of an agent or a visitor by a user."""
