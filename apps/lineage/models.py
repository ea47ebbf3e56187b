"""The rows of lineages."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models

from apps.django_support.keyed_rows import KeyedRow


class LineageRow(KeyedRow):
    """A branch sees the history of an ancestor up to the end of `until_tick`.

    `depth` is 1 for the parent, 2 for the parent of the parent, and so on. `nearer` are the
    branch and its ancestors of less depth, whose copies hide rows. With `has_same_seed`
    the same request has the same answer in both. The rows are written once, with the branch.
    """

    branch = models.UUIDField()
    ancestor = models.UUIDField()
    depth = models.IntegerField()
    until_tick = models.IntegerField()
    nearer = ArrayField(models.UUIDField())
    has_same_seed = models.BooleanField()

    class Meta:
        """One row for each ancestor of a branch."""

        verbose_name = "ancestor of a branch"
        verbose_name_plural = "ancestors of branches"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["branch", "depth"], name="lineage_identity"),
        ]
        indexes: ClassVar = [models.Index(fields=["ancestor", "branch"], name="lineage_branch")]
