"""The rows of experiments: the events, which are never changed, and what they amount to."""

from typing import ClassVar

from django.conf import settings
from django.db import models

from apps.django_support.keyed_rows import KeyedRow
from apps.work.rows import WorkRow


class ExperimentRow(WorkRow):
    """An experiment; all but `taken_at` and `seen_at` is derived from its events.

    `problem` says why it is paused. `runs` counts the measured runs, `finished_runs` those of
    them that are over; runs of shared pasts do not count.
    """

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True)
    name = models.CharField(max_length=60)
    title = models.CharField(max_length=200)
    runs = models.IntegerField(default=0)
    finished_runs = models.IntegerField(default=0)

    class Meta(WorkRow.Meta):
        """Found by owner, and by state."""

        verbose_name = "experiment"
        indexes: ClassVar = [
            models.Index(fields=["owner", "requested_at"], name="experiment_of_owner"),
            *WorkRow.Meta.indexes,
        ]


class ExperimentEventRow(KeyedRow):
    """One event of an experiment; a trigger refuses UPDATE.

    `by` is the user that has caused it, "" for the service.
    """

    experiment = models.ForeignKey(ExperimentRow, on_delete=models.CASCADE)
    number = models.IntegerField()
    type = models.CharField(max_length=60)
    data = models.JSONField()
    by = models.CharField(max_length=150, blank=True, default="")
    recorded_at = models.DateTimeField()

    class Meta:
        """In the order of their numbers, from 1 without gaps."""

        verbose_name = "event of an experiment"
        verbose_name_plural = "events of experiments"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["experiment", "number"], name="experiment_event_identity"
            )
        ]
