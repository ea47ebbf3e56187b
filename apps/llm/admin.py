"""Read-only admin pages of model calls, budgets and vectors (L3, A4)."""

from django.contrib import admin
from django.db.models import F, IntegerField
from django.db.models.expressions import ExpressionWrapper
from django.db.models.query import QuerySet
from django.http import HttpRequest

from apps.django_support.read_only_admin import ReadOnlyAdmin
from apps.llm.models import (
    BudgetRow,
    EmbeddingCallRow,
    EmbeddingRow,
    ModelCallRow,
    ModelFailureRow,
)
from apps.llm.prompts.parts import PromptPartRow, unpacked


@admin.register(ModelCallRow)
class ModelCallAdmin(ReadOnlyAdmin):
    """Completed calls with tokens, time and cost."""

    list_display = (
        "tick",
        "stream",
        "task",
        "outcome",
        "tokens",
        "cached_prompt_tokens",
        "billed_equivalent_tokens",
        "cost",
        "latency_ms",
        "model",
        "simulation_id",
    )
    list_filter = ("outcome", "task", "server", "model")
    search_fields = ("=simulation_id", "=call_id", "=stream")
    ordering = ("-id",)
    exclude = ("prompt",)
    readonly_fields = ("messages",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[ModelCallRow]:
        """Return the rows with the sum of their tokens."""
        added = ExpressionWrapper(
            F("prompt_tokens") + F("completion_tokens"), output_field=IntegerField()
        )
        rows: QuerySet[ModelCallRow] = super().get_queryset(request)
        return rows.annotate(all_tokens=added)

    @admin.display(description="tokens", ordering="all_tokens")
    def tokens(self, row: ModelCallRow) -> int:
        """Return the tokens of prompts and answers."""
        return row.prompt_tokens + row.completion_tokens


@admin.register(PromptPartRow)
class PromptPartAdmin(ReadOnlyAdmin):
    """Parts of prompts, which all simulations share."""

    list_display = ("id", "__str__", "text")
    ordering = ("-id",)
    fields = ("text",)
    readonly_fields = ("text",)

    @admin.display(description="text")
    def text(self, row: PromptPartRow) -> str:
        """Return the text of the part."""
        return unpacked(row.content)


@admin.register(ModelFailureRow)
class ModelFailureAdmin(ReadOnlyAdmin):
    """Calls that ended without an answer."""

    list_display = (
        "recorded_at", "code", "server", "model", "prompt_tokens", "cached_prompt_tokens",
        "billed_equivalent_tokens", "call_id", "simulation_id",
    )  # fmt: skip
    list_filter = ("code", "server", "model")
    search_fields = ("=simulation_id", "=call_id", "=stream", "detail")
    ordering = ("-id",)


@admin.register(EmbeddingCallRow)
class EmbeddingCallAdmin(ReadOnlyAdmin):
    """Requests for vectors to remote models."""

    list_display = (
        "tick", "stream", "texts", "characters", "prompt_tokens", "cost", "latency_ms", "model",
        "simulation_id",
    )  # fmt: skip
    list_filter = ("server", "model")
    search_fields = ("=simulation_id", "=stream")
    ordering = ("-id",)


@admin.register(BudgetRow)
class BudgetAdmin(ReadOnlyAdmin):
    """Budgets; POST and PATCH of a simulation set them."""

    list_display = ("simulation_id", "tokens", "tokens_max", "money", "money_max")
    search_fields = ("=simulation_id",)
    ordering = ("simulation_id",)


@admin.register(EmbeddingRow)
class EmbeddingAdmin(ReadOnlyAdmin):
    """The texts that have vectors, without the vectors."""

    list_display = ("text_sha256", "model", "dimensions", "origin")
    list_filter = ("model",)
    search_fields = ("=text_sha256", "=origin")
    exclude = ("vector",)
    ordering = ("-id",)
