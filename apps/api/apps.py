"""The Django app `api`."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """Its name and label."""

    name = "apps.api"
    label = "api"
    verbose_name = "HTTP"

    def ready(self) -> None:
        """Register the checks of the settings and the sampling of open streams."""
        # Django's framework classes can be imported only now.
        from apps.api.http import authentication  # noqa: F401, PLC0415
        from apps.metrics.instruments import add_sampler  # noqa: PLC0415

        add_sampler(_record_open_streams)


def _record_open_streams() -> None:
    """Record how many streams are open; imported late, since most commands have none."""
    from apps.api.http.long_responses import STREAMS  # noqa: PLC0415
    from apps.metrics.instruments import record_open_streams  # noqa: PLC0415

    record_open_streams(STREAMS.taken)
