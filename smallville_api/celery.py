"""Entry point of workers and beat: `celery -A smallville_api worker`."""

import os
from typing import Any

import django
import structlog
from celery import Celery
from celery.signals import beat_init, setup_logging, task_postrun, task_prerun, worker_init

from apps.django_support.schema_version import ensure_schema_or_exit
from apps.embedded_postgres.environment import ensure_database_url_or_exit

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "smallville_api.settings")


class SmallvilleCelery(Celery):  # type: ignore[misc]  # celery has no types
    """Celery that sees to its database before it reads the settings."""

    def on_configure(self) -> None:
        """Provide the database; called once, before the first setting is read."""
        ensure_database_url_or_exit()


application = SmallvilleCelery("smallville")
application.config_from_object("django.conf:settings", namespace="CELERY")
application.autodiscover_tasks()


@worker_init.connect
@beat_init.connect
def look_at_the_schema(**_ignored: Any) -> None:
    """Let no worker and no beat start on a database whose schema is not this code's."""
    django.setup(set_prefix=False)
    ensure_schema_or_exit()


@setup_logging.connect
def keep_our_logging(**_ignored: Any) -> None:
    """Leave logging to the settings: a listener here keeps Celery from setting up its own."""


@task_prerun.connect
def name_the_task(task_id: str, task: Any, **_ignored: Any) -> None:
    """Let every line logged by a task carry its name and id."""
    structlog.contextvars.bind_contextvars(task=task.name, task_id=task_id)


@task_postrun.connect
def forget_the_task(**_ignored: Any) -> None:
    """Let a thread's next task start with nothing bound."""
    structlog.contextvars.clear_contextvars()
