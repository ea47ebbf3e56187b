"""Conversations, and the utterances of all of them."""
