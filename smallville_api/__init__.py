"""The Django project: settings and entry points."""

from smallville_api.celery import application as celery

__all__ = ["celery"]
