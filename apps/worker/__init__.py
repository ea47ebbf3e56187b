"""Celery tasks: each one call into the engine."""
