"""Registers the app of reflections."""

from django.apps import AppConfig


class ReflectionConfig(AppConfig):
    """Questions and insights of agents."""

    name = "apps.reflection"
    label = "reflection"
    verbose_name = "Reflection"
