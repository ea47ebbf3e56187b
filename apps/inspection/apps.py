"""The Django app `inspection`, and the admin with its pages."""

from django.apps import AppConfig
from django.contrib.admin import apps as admin_apps


class InspectionConfig(AppConfig):
    """Its name and label; it stands before Django's admin, whose templates it replaces."""

    name = "apps.inspection"
    label = "inspection"
    verbose_name = "Inspection"
    default = True


class InspectionAdminConfig(admin_apps.AdminConfig):
    """Django's admin with the site of this app."""

    default_site = "apps.inspection.site.InspectionSite"
    default = False
