"""Registers the app that holds the memory streams."""

from django.apps import AppConfig


class MemoryConfig(AppConfig):
    """What people remember."""

    name = "apps.memory"
    label = "memory"
    verbose_name = "Memory"
