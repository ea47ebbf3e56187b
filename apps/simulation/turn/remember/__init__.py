"""Remember: the memories, reflections and facts that a turn leaves."""
