"""Registers the app of the worker and scheduler processes."""

from django.apps import AppConfig


class WorkerConfig(AppConfig):
    """Celery tasks."""

    name = "apps.worker"
    label = "worker"
    verbose_name = "Worker"
