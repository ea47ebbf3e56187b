"""The memory stream of an agent: memories, their importance, and retrieval (paper 4.1)."""
