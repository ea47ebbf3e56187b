"""Conversations of the rule-based model: what is said, and what is taken from it.

Speech is text, as between any two agents. Both sides are answered from the typed input
alone; speech is understood by the templates of the phrase book and by cues.
"""
