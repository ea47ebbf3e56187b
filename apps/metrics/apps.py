"""Registers the app that holds the metrics."""

from django.apps import AppConfig


class MetricsConfig(AppConfig):
    """Metrics and the totals behind them."""

    name = "apps.metrics"
    label = "metrics"
    verbose_name = "Metrics"
