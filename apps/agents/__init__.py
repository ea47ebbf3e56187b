"""People: who they are, where they are, what they do and what places they know."""
