"""The Django app `api`."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """Its name and label."""

    name = "apps.api"
    label = "api"
    verbose_name = "HTTP"

    def ready(self) -> None:
        """Have the settings looked at."""
        # Django's framework classes can be imported only now.
        from apps.api import checks  # noqa: F401, PLC0415
