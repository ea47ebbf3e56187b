"""The Django app `console`."""

from django.apps import AppConfig


class ConsoleConfig(AppConfig):
    """The management commands."""

    name = "apps.console"
    label = "console"
    verbose_name = "Command line"
