"""Entry point of workers and beat: `celery -A smallville_api worker`."""

import os
from typing import Any

import django
import structlog
from celery import Celery
from celery.signals import beat_init, setup_logging, task_postrun, task_prerun, worker_init

from apps.django_support.broker_check import ensure_broker_usable
from apps.django_support.schema_version import ensure_schema_or_exit
from apps.embedded_postgres.environment import ensure_database_url_or_exit
from apps.kernel.errors import exit_with_message

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "smallville_api.settings")


class SmallvilleCelery(Celery):  # type: ignore[misc]  # celery has no types
    """Celery that ensures a database URL before it reads the settings, then a broker."""

    def on_configure(self) -> None:
        """Ensure a database URL and a broker; called before the first setting is read."""
        ensure_database_url_or_exit()
        with exit_with_message():
            ensure_broker_usable()


application = SmallvilleCelery("smallville")
application.config_from_object("django.conf:settings", namespace="CELERY")
application.autodiscover_tasks()


@worker_init.connect
@beat_init.connect
def ensure_schema(**_ignored: Any) -> None:
    """Exit a worker or beat if the schema of the database is not that of this code."""
    django.setup(set_prefix=False)
    ensure_schema_or_exit()


@setup_logging.connect
def keep_logging(**_ignored: Any) -> None:
    """Leave logging to the settings: with a receiver, Celery does not set up its own."""


@task_prerun.connect
def bind_task(task_id: str, task: Any, **_ignored: Any) -> None:
    """Bind the task's name and id to its log lines."""
    structlog.contextvars.bind_contextvars(task=task.name, task_id=task_id)


@task_postrun.connect
def unbind_task(**_ignored: Any) -> None:
    """Clear the bound values for the thread's next task."""
    structlog.contextvars.clear_contextvars()
