"""The Django app `api`."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """Its name and label."""

    name = "apps.api"
    label = "api"
    verbose_name = "HTTP"
