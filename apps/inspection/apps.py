"""The Django app `inspection`, and the admin with its pages."""

from typing import Any

from django.apps import AppConfig
from django.contrib import admin
from django.contrib.admin import apps as admin_apps
from django.contrib.admin.checks import check_admin_app
from django.core import checks


class InspectionConfig(AppConfig):
    """Its name and label; it stands before Django's admin, whose templates it replaces."""

    name = "apps.inspection"
    label = "inspection"
    verbose_name = "Inspection"
    default = True


class InspectionAdminConfig(admin_apps.SimpleAdminConfig):
    """Django's admin with the site of this app.

    Its tables load most of the code, so they are registered where they are needed: by the
    addresses of the service and by the checks.
    """

    default_site = "apps.inspection.site.InspectionSite"
    default = False

    def ready(self) -> None:
        """Register the checks of the tables."""
        super().ready()
        checks.register(_check_tables, checks.Tags.admin)


def _check_tables(app_configs: Any, **options: Any) -> list[checks.CheckMessage]:
    admin.autodiscover()
    return list(check_admin_app(app_configs, **options))
