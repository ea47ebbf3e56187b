"""The Django app `access`."""

from django.apps import AppConfig


class AccessConfig(AppConfig):
    """Its name and label."""

    name = "apps.access"
    label = "access"
    verbose_name = "Access"
