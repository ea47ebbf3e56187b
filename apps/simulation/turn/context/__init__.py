"""The context of a turn and its outcome: what steps read and what they return."""
