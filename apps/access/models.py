"""Rows of who may drive the service."""

from typing import ClassVar

from django.conf import settings
from django.db import models


class ApiToken(models.Model):
    """A token that a program shows in place of a password.

    The token itself is told once, when it is issued, and is kept nowhere: `sha256` is the hash
    of it, in hex. It carries 256 bits of chance, so a slow hash would protect nothing more.
    """

    sha256 = models.CharField(max_length=64, unique=True, editable=False)
    name = models.CharField(max_length=120)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        """Listed by user, the latest first."""

        verbose_name = "API token"
        indexes: ClassVar = [models.Index(fields=["user", "-created_at"], name="token_of_user")]

    def __str__(self) -> str:
        """Return what its owner called it."""
        return self.name
