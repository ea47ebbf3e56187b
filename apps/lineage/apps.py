"""Registers the app that holds the lineage of branches."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate, pre_migrate


class LineageConfig(AppConfig):
    """The lineage of branches, and the views by which they are read."""

    name = "apps.lineage"
    label = "lineage"
    verbose_name = "Lineage"

    def ready(self) -> None:
        """Keep the views as the models declare them; see `views`."""
        from apps.lineage.views import create_views, drop_views  # noqa: PLC0415 (needs models)

        pre_migrate.connect(drop_views, sender=self)
        post_migrate.connect(create_views, sender=self)
