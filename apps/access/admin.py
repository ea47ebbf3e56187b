"""The admin of tokens, which are issued here, and of stored responses."""

from datetime import timedelta
from typing import Any, cast

from django import forms
from django.contrib import admin
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils import timezone

from apps.access.commands import issue_token, revoke_token
from apps.access.models import ApiToken, StoredResponse
from apps.django_support.read_only_admin import ReadOnlyAdmin

DAYS_MAX = 3_650


class NewToken(forms.Form):
    """The user, the name, the validity and the rights of a token."""

    user = forms.ModelChoiceField(queryset=User.objects.filter(is_active=True))
    name = forms.CharField(max_length=120, help_text="Its purpose, as in “laptop”.")
    days = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=DAYS_MAX,
        help_text="The number of days until it ends; empty: until it is revoked.",
    )
    reads_only = forms.BooleanField(
        required=False, help_text="It may read everything that its user may, and no more."
    )


@admin.register(ApiToken)
class ApiTokenAdmin(ReadOnlyAdmin):
    """The tokens of all users; they are issued and revoked here."""

    list_display = (
        "name", "user", "reads_only", "created_at", "last_used_at", "expires_at", "revoked_at"
    )  # fmt: skip
    list_filter = ("reads_only", "revoked_at")
    list_select_related = ("user",)
    search_fields = ("name", "user__username")
    ordering = ("-created_at",)
    actions = ("revoke",)  # type: ignore[assignment]  # the base class has none
    change_list_template = "access/token_list.html"

    def get_urls(self) -> list[URLPattern]:
        """Add the page that issues tokens."""
        page = self.admin_site.admin_view(self.issue)
        return [path("issue/", page, name="access_apitoken_issue"), *super().get_urls()]

    def issue(self, request: HttpRequest) -> HttpResponse:
        """Issue a token and show it once."""
        form = NewToken(request.POST or None, initial={"user": request.user.pk})
        cast("forms.ModelChoiceField[User]", form.fields["user"]).queryset = _users(request)
        is_valid = request.method == "POST" and form.is_valid()
        page = self.admin_site.each_context(request) | {
            "title": "Issue an API token",
            "opts": self.model._meta,
            "form": form,
            "token": _issue(form.cleaned_data) if is_valid else "",
        }
        return TemplateResponse(request, "access/issue_token.html", page)

    def has_revoke_permission(self, request: HttpRequest) -> bool:
        """Return whether the user may revoke tokens."""
        return bool(request.user.has_perm("access.delete_apitoken"))

    @admin.action(description="Revoke the chosen tokens", permissions=["revoke"])
    def revoke(self, request: HttpRequest, chosen: QuerySet[ApiToken]) -> None:
        """Revoke the chosen tokens."""
        for token in chosen:
            revoke_token(token.pk)
        self.message_user(request, f"{len(chosen)} revoked")


@admin.register(StoredResponse)
class StoredResponseAdmin(ReadOnlyAdmin):
    """Requests with an Idempotency-Key of the last day, without their responses."""

    list_display = ("created_at", "user", "request", "status", "seen_at")
    list_filter = ("status",)
    list_select_related = ("user",)
    search_fields = ("user__username", "request")
    ordering = ("-created_at",)
    exclude = ("key", "fingerprint", "headers", "body")


def _users(request: HttpRequest) -> QuerySet[User]:
    """Return the users that the user of a request may issue tokens for.

    A token of an administrator gives its rights: others issue tokens for themselves only.
    """
    if not request.user.has_perm("access.add_apitoken"):
        raise PermissionDenied
    users = User.objects.filter(is_active=True).order_by("username")
    return (
        users
        if request.user.is_superuser
        else users.filter(username=request.user.get_username())
    )


def _issue(values: dict[str, Any]) -> str:
    days = values["days"]
    return issue_token(
        values["user"],
        values["name"],
        expires_at=None if days is None else timezone.now() + timedelta(days=days),
        reads_only=values["reads_only"],
    )
