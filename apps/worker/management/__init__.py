"""Management commands of the background processes."""
