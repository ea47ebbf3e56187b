"""Registers the app that holds people's reflections."""

from django.apps import AppConfig


class ReflectionConfig(AppConfig):
    """What people make of what they remember."""

    name = "apps.reflection"
    label = "reflection"
    verbose_name = "Reflection"
