"""Tables of tokens, memberships, stored responses and counts of requests."""

from typing import ClassVar

from django.conf import settings
from django.db import models

from apps.access.rights import Role
from apps.django_support.keyed_rows import KeyedRow


class ApiToken(models.Model):
    """A token, by which a program authenticates.

    The token itself is not stored: `sha256` is its hash, in hex. It has 256 random bits, so
    that a slow hash would protect nothing more.
    """

    sha256 = models.CharField(max_length=64, unique=True, editable=False)
    name = models.CharField(max_length=120)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens"
    )
    reads_only = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)
    last_used_at = models.DateTimeField(null=True)
    expires_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        """Listed by user, the latest first."""

        verbose_name = "API token"
        indexes: ClassVar = [models.Index(fields=["user", "-created_at"], name="token_of_user")]

    def __str__(self) -> str:
        """Return its name."""
        return self.name


class MembershipRow(KeyedRow):
    """The role of a user in a simulation; its creator is an owner without a row."""

    simulation_id = models.UUIDField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships"
    )
    role = models.CharField(max_length=12, choices=[(role.value, role.value) for role in Role])
    given_by = models.CharField(max_length=150)
    given_at = models.DateTimeField(auto_now=True)

    class Meta:
        """One role for each user of a simulation; found by user for the lists."""

        verbose_name = "membership"
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["simulation_id", "user"], name="membership_identity"
            )
        ]

    @property
    def username(self) -> str:
        """The name of the member."""
        return self.user.get_username()

    @property
    def is_creator(self) -> bool:
        """Whether this stands for the creator, which has no row."""
        return self.pk is None


class StoredResponse(KeyedRow):
    """The response to a request with an Idempotency-Key, which a repeat receives again.

    `status` is None while a request that waits for an LLM is in progress; `seen_at` is the last
    heartbeat of its process. Other requests write the row in the transaction of their changes.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    key = models.CharField(max_length=200, db_collation="C")
    fingerprint = models.CharField(max_length=64)
    request = models.CharField(max_length=300)
    status = models.PositiveSmallIntegerField(null=True)
    headers = models.JSONField(default=dict)
    body = models.BinaryField(default=bytes)
    created_at = models.DateTimeField(auto_now_add=True)
    seen_at = models.DateTimeField(null=True)

    class Meta:
        """A user's key identifies one request; old rows are found by their time."""

        verbose_name = "stored response"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "key"], name="stored_response_identity")
        ]
        indexes: ClassVar = [models.Index(fields=["created_at"], name="stored_response_age")]


class RequestCount(KeyedRow):
    """The number of a user's requests of a limited kind in a span of time.

    It counts for all processes together. The table is unlogged: a crash may lose it.
    """

    what = models.CharField(max_length=200, primary_key=True)
    span = models.BigIntegerField()
    count = models.IntegerField()

    class Meta:
        """Named in the admin."""

        verbose_name = "request count"
