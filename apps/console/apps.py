"""The Django app `console`."""

from django.apps import AppConfig


class ConsoleConfig(AppConfig):
    """Its name and label."""

    name = "apps.console"
    label = "console"
    verbose_name = "Command line"
