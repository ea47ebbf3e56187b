"""The tokens in the admin: shown, and revoked."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from apps.access.commands import revoke_token
from apps.access.models import ApiToken
from apps.django_support.read_only_admin import ReadOnlyAdmin


@admin.register(ApiToken)
class ApiTokenAdmin(ReadOnlyAdmin):
    """Who holds tokens, and when each was last used."""

    list_display = ("name", "user", "created_at", "last_used_at", "revoked_at")
    list_filter = ("revoked_at",)
    search_fields = ("name", "user__username")
    ordering = ("-created_at",)
    actions = ("revoke",)  # type: ignore[assignment]  # the base class has none

    @admin.action(description="Revoke the chosen tokens")
    def revoke(self, request: HttpRequest, chosen: QuerySet[ApiToken]) -> None:
        """Let the chosen tokens be valid no longer."""
        for token in chosen:
            revoke_token(token.pk)
        self.message_user(request, f"{len(chosen)} revoked")
