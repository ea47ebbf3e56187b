"""The rows of imports, and the pieces of their files."""

from typing import ClassVar

from django.conf import settings
from django.db import models

from apps.django_support.keyed_rows import KeyedRow
from apps.work.rows import WorkRow


class ImportRow(WorkRow):
    """The import of an archive for its `owner`, and the simulation that it has created.

    `name` is that of the simulation in the archive; `lines` of its `lines_total` were read.
    """

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    name = models.CharField(max_length=120)
    bytes = models.IntegerField()
    lines = models.IntegerField(default=0)
    lines_total = models.IntegerField()
    simulation = models.ForeignKey(
        "simulation.SimulationRow", on_delete=models.CASCADE, null=True
    )

    class Meta(WorkRow.Meta):
        """Found by owner, and by state."""

        verbose_name = "import"
        indexes: ClassVar = [
            models.Index(fields=["owner", "requested_at"], name="import_of_owner"),
            *WorkRow.Meta.indexes,
        ]


class FilePieceRow(KeyedRow):
    """A piece of the file of an import that is not over, so that any process can read it."""

    of = models.ForeignKey(ImportRow, on_delete=models.CASCADE)
    number = models.IntegerField()
    content = models.BinaryField()

    class Meta:
        """Numbered from 0."""

        verbose_name = "piece of an archive"
        verbose_name_plural = "pieces of archives"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["of", "number"], name="file_piece_identity")
        ]
