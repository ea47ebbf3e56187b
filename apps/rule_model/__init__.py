"""The rule-based model: answers LLM tasks by rules, to watch and test without a key."""
