"""GET /metrics: the metrics of the web processes and of the database, for Prometheus."""

from typing import ClassVar

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import NotAuthenticated, PermissionDenied
from rest_framework.permissions import AllowAny
from rest_framework.request import Request

from apps.api.http.views import ApiView, Errors, operation
from apps.api.openapi.errors import AUTHENTICATION_ERRORS, DATABASE_ERRORS
from apps.api.operations.database_metrics import DatabaseMetrics
from apps.metrics.access import is_admitted, is_from_scraper
from apps.metrics.exposition import exposed


class Metrics(ApiView):
    """Metrics for this machine, for the scraper's token, and for administrators."""

    address = ""
    errors: ClassVar[Errors] = (*AUTHENTICATION_ERRORS, PermissionDenied, *DATABASE_ERRORS)
    permission_classes = (AllowAny,)
    throttle_classes = ()

    def get_authenticators(self) -> list[BaseAuthentication]:
        """Return the authenticators: none if the request is admitted without an account.

        The database, which has the accounts, may be down.
        """
        # There is no request while the OpenAPI document is generated.
        request: HttpRequest | None = self.request
        if request is not None and is_admitted(request.META):
            # Any token but the scraper's is checked, also from this machine.
            shows_token = "HTTP_AUTHORIZATION" in request.META
            if is_from_scraper(request.META) or not shows_token:
                return []
        return super().get_authenticators()

    @operation("getMetrics", "/metrics", "operation", {(200, "text/plain"): str})
    def get(self, request: Request) -> HttpResponse:
        """Show metrics for Prometheus, in its text format or OpenMetrics.

        For requests from this machine, for the bearer token of the setting METRICS_TOKEN, and
        for administrators. docs/reference/metrics.md lists the metrics. If the database does
        not answer, `smallville_database_up` is 0 and the metrics that are read from it are
        missing.
        """
        if not is_admitted(request.META):
            user = request.user
            if not user.is_authenticated:
                raise NotAuthenticated
            if not (isinstance(user, User) and user.is_superuser):
                raise PermissionDenied(
                    "the metrics of the service are for administrators, and for the scraper's "
                    "token (METRICS_TOKEN)"
                )
        accepts: str = request.headers.get("Accept", "")
        text, media_type = exposed(accepts, DatabaseMetrics())
        return HttpResponse(text, content_type=media_type)
