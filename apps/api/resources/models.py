"""The models that simulations may use, with their prices."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from apps.api.http.fields import Serializer, TextOrNull
from apps.api.http.lists import ListView, list_parameters, page_of_items
from apps.api.http.value_serializers import serializer_of
from apps.api.http.views import operation
from apps.llm.catalogue import OfferedModel, list_models


class ModelPrice(Serializer):
    """The price of a million tokens, as the operator or the preset of the server has it."""

    prompt = serializers.FloatField(
        min_value=0, help_text="Of an embedding model: of its texts."
    )
    cached_prompt = serializers.FloatField(
        min_value=0, allow_null=True, help_text="Of a prompt's tokens in the server's cache."
    )
    completion = serializers.FloatField(min_value=0)
    source = serializers.CharField(  # type: ignore[assignment]
        allow_blank=True,
        help_text="The price list; MODEL_PRICES if the operator set it there; empty for models "
        "that answer on this machine.",
    )
    as_of = TextOrNull(
        allow_null=True,
        help_text="The day on which the price list was read; null for the other two.",
    )


ModelOffer = serializer_of(
    OfferedModel,
    "ModelOffer",
    model=serializers.CharField(source="name", help_text="`model` of `POST /simulations`."),
    price=ModelPrice(
        allow_null=True,
        help_text="Null if it is not known; then a budget of money is rejected.",
    ),
    embedding_price=ModelPrice(allow_null=True),
)


class Models(ListView):
    """The models that simulations may use."""

    query = list_parameters("model, embedding model", "model")

    @operation("listModels", "/models", "models", page_of_items(ModelOffer))
    def get(self, request: Request) -> Any:
        """List the models that simulations may use, with their prices."""
        return self.page_of(
            list_models(), ModelOffer, "name", "embedding_model", model=("name",)
        )
