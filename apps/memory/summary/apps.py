"""The Django app of summary descriptions."""

from django.apps import AppConfig


class SelfSummaryConfig(AppConfig):
    """The app with the label of its tables and migrations, which differs from the package."""

    name = "apps.memory.summary"
    label = "self_summary"
    verbose_name = "Summary descriptions"
