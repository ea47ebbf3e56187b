"""The turn: its context, which steps read, and what the steps bring."""
