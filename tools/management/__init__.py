"""Management commands of tools."""
