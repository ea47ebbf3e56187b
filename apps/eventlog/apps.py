"""Registers the app that holds the log."""

from django.apps import AppConfig


class EventLogConfig(AppConfig):
    """The append-only log."""

    name = "apps.eventlog"
    label = "eventlog"
    verbose_name = "Event log"
