"""Read-only pages of the admin (A4)."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.http import HttpRequest

if TYPE_CHECKING:
    # Only in the stubs the class is generic.
    _AdminOfAnyModel = admin.ModelAdmin[Any]
else:
    _AdminOfAnyModel = admin.ModelAdmin


class ReadOnlyAdmin(_AdminOfAnyModel):
    """An admin page without add, change and delete.

    Rows follow from the log, or record answers of models, so they must not be edited.
    """

    show_full_result_count = False
    list_per_page = 50
    actions = None

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:  # noqa: ARG002  # Django's signature
        """Refuse."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:  # noqa: ARG002  # Django's signature
        """Refuse; Django then shows the row read-only."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:  # noqa: ARG002  # Django's signature
        """Refuse."""
        return False
