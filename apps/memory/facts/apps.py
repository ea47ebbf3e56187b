"""The Django app of lasting facts."""

from django.apps import AppConfig


class LastingFactsConfig(AppConfig):
    """The app with the label of its tables and migrations, which differs from the package."""

    name = "apps.memory.facts"
    label = "facts"
    verbose_name = "Lasting facts"
