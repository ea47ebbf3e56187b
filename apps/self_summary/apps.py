"""Registers the app that holds people's summaries of themselves."""

from django.apps import AppConfig


class SelfSummaryConfig(AppConfig):
    """Who people think they are."""

    name = "apps.self_summary"
    label = "self_summary"
    verbose_name = "Self-summary"
