"""The append-only log that everything else is derived from."""
