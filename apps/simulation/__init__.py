"""The engine: whose turn is due and free, and what a person does with a turn."""
