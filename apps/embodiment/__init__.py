"""People whom users act for: who embodies whom, what is asked of them, what came of it."""
