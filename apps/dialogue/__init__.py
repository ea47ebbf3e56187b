"""Conversations: utterances, and what agents take from them (paper 4.3.2)."""
