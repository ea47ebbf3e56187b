"""Registers the app of the worker and scheduler processes."""

from django.apps import AppConfig, apps
from django.db.models.signals import pre_migrate


class WorkerConfig(AppConfig):
    """Celery tasks."""

    name = "apps.worker"
    label = "worker"
    verbose_name = "Worker"

    def ready(self) -> None:
        """Register the check of the broker, and that of what migrations need."""
        # Django's framework classes can be imported only now.
        from apps.django_support import broker_check  # noqa: F401, PLC0415
        from apps.django_support.schema_version import (  # noqa: PLC0415
            check_before_migrations,
        )

        # Django sends the signal for each app with models: one of them is enough.
        pre_migrate.connect(check_before_migrations, sender=apps.get_app_config("llm"))
