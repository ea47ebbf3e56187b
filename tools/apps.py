"""The Django app `tools`."""

from django.apps import AppConfig


class ToolsConfig(AppConfig):
    """Management commands that write pages and check worlds."""

    name = "tools"
    verbose_name = "Tools"
