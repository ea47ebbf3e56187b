"""Events of the log and their provenance."""
