"""Reflection: from what somebody perceived to thoughts about what it means (paper 4.2)."""
