"""Conversations: what people say to each other, and what they take from it (paper 4.3.2)."""
