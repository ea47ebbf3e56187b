"""The admin site: its index lists simulations, its tables stand in sections."""

from typing import Any

from django.contrib.admin import AdminSite
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver

from apps.inspection.index import listed_experiments, listed_simulations
from apps.inspection.sections import in_sections
from apps.inspection.urls import page_patterns


class InspectionSite(AdminSite):
    """Django's admin with pages for the simulations that a user has a role in."""

    site_header = "Smallville"
    site_title = "Smallville"
    index_title = "Simulations and experiments"
    index_template = "inspection/index.html"
    site_url = None

    def get_urls(self) -> list[URLPattern | URLResolver]:
        """Return the addresses of the pages and of Django's admin."""
        return [*page_patterns(self), *super().get_urls()]

    def get_app_list(
        self, request: HttpRequest, app_label: str | None = None
    ) -> list[dict[str, Any]]:
        """Return the tables in sections, or those of one app."""
        apps = super().get_app_list(request, app_label)
        return list(apps) if app_label else in_sections(apps)

    def index(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> TemplateResponse:
        """Show the simulations and experiments of the user, and below them the tables."""
        assert isinstance(request.user, User), "the admin requires a login"
        shown = {
            "simulations": listed_simulations(request.user),
            "experiments": listed_experiments(request.user),
        }
        return super().index(request, shown | (extra_context or {}))
