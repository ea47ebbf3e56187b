"""Registers the app that holds plans."""

from django.apps import AppConfig


class PlanningConfig(AppConfig):
    """Plans: days in broad strokes, hours, actions."""

    name = "apps.planning"
    label = "planning"
    verbose_name = "Plans"
