"""The admin shows; it does not edit (A4)."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.http import HttpRequest

if TYPE_CHECKING:
    # Only the stubs know that an admin page is of some model: Django's own class is plain.
    _AdminOfAnyModel = admin.ModelAdmin[Any]
else:
    _AdminOfAnyModel = admin.ModelAdmin


class ReadOnlyAdmin(_AdminOfAnyModel):
    """An admin page without add, change and delete.

    Rows say what the log says, or what a model answered: whoever could edit one could
    make it lie. What operators do to a town are commands.
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
