"""The Django project: settings and entry points, no behaviour of the town's."""

from smallville_api.celery import application as celery

__all__ = ["celery"]
