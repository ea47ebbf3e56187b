"""GET /api/v1/docs: the interface as a page, by Swagger UI."""

from django.http import HttpResponse
from django.shortcuts import render
from rest_framework.request import Request

from apps.api.http.middleware import CONTENT_SECURITY_POLICY
from apps.api.http.operation import operation
from apps.api.http.views import OpenView
from apps.api.openapi.auto_schema import EXAMPLE_KEY

# Scripts and style sheets are files of this service; nothing runs that stands in the page.
# Swagger UI draws its icons from data: addresses.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)


class Docs(OpenView):
    """The interface as a page; it needs no account."""

    @operation("getDocs", "operation", {(200, "text/html"): str})
    def get(self, request: Request) -> HttpResponse:
        """Show this interface as a page, on which requests can be tried.

        The page needs scripts. A token behind the `#`, as in `/api/v1/docs#token=…`,
        authorizes the requests that are tried.
        """
        page = render(request, "api/docs.html", {"example_key": EXAMPLE_KEY})
        page.headers[CONTENT_SECURITY_POLICY] = POLICY
        return page
