"""How many requests a user may make in a while; a setting, read when it is needed."""

from django.conf import settings
from rest_framework.throttling import UserRateThrottle


class RequestRate(UserRateThrottle):
    """settings.REQUEST_RATE_MAX for each user and process, "200/s"; empty for no limit."""

    def get_rate(self) -> str | None:
        """Return the rate that the operator has set."""
        return settings.REQUEST_RATE_MAX or None
