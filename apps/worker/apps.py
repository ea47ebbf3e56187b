"""Registers the app that holds the Celery tasks."""

from django.apps import AppConfig


class WorkerConfig(AppConfig):
    """Celery tasks."""

    name = "apps.worker"
    label = "worker"
    verbose_name = "Worker"
