"""The base of rows that the admin names by their kind and key."""

from django.db import models


class KeyedRow(models.Model):
    """A row whose columns are in the lists of the admin, and not in its name."""

    class Meta:
        """A base without a table."""

        abstract = True

    def __str__(self) -> str:
        """Return the kind of row and its key."""
        return f"{self._meta.verbose_name} {self.pk}"
