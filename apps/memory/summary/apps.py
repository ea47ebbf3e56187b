"""Registers the summary descriptions of agents."""

from django.apps import AppConfig


class SelfSummaryConfig(AppConfig):
    """The label is that of the tables and migrations, which precede the package."""

    name = "apps.memory.summary"
    label = "self_summary"
    verbose_name = "Summary descriptions"
