"""The models that simulations may use, with their prices."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.http import listing
from apps.api.http.paging import Paged, page_of_items, page_response, split_page
from apps.api.http.views import ApiView
from apps.llm.catalogue import OfferedModel, list_models
from apps.llm.prices import Price


class ModelPrice(serializers.Serializer[Any]):
    """The price of a million tokens, as far as the operator or the price table knows it."""

    prompt = serializers.FloatField(
        min_value=0, help_text="Of an embedding model: of its texts."
    )
    cached_prompt = serializers.FloatField(
        min_value=0, allow_null=True, help_text="Of a prompt's tokens in the server's cache."
    )
    completion = serializers.FloatField(min_value=0)
    source = serializers.CharField(  # type: ignore[assignment]
        allow_blank=True,
        help_text="The price list it was read from, MODEL_PRICES if the operator set it, empty "
        "for models that answer on this machine.",
    )
    as_of = serializers.CharField(
        allow_null=True, help_text="The month of the price list; null for the other two."
    )


class ModelOffer(serializers.Serializer[Any]):
    """A chat model that a simulation may use."""

    model = serializers.CharField(help_text="What `POST /simulations` takes as `model`.")
    server = serializers.CharField()
    chat_model = serializers.CharField()
    embedding_model = serializers.CharField(help_text="The one that comes with it.")
    price = ModelPrice(
        allow_null=True,
        help_text="Null if it is not known; then a budget of money is refused.",
    )
    embedding_price = ModelPrice(allow_null=True)
    is_default = serializers.BooleanField(help_text="Whether it is used if none is named.")
    others_allowed = serializers.BooleanField(
        help_text="Whether other chat models of this server can be asked for by name."
    )


class ModelFilters(Paged):
    """Which models, in which order."""

    search = listing.search_parameter("model, embedding model")
    order = listing.order_parameter("model", default="model")


class Models(ApiView):
    """The models that simulations may use."""

    query = ModelFilters

    @extend_schema(
        operation_id="listModels",
        summary="The models that simulations may use, with their prices",
        tags=["models"],
        responses={200: page_of_items(ModelOffer)},
    )
    def get(self, request: Request) -> Response:
        """List the models by name."""
        search, after = self.parameters.get("search"), listing.cursor_keys(self, str)
        offers = [
            offer
            for offer in list_models()
            if listing.contains_text(search, offer.name, offer.embedding_model)
        ]
        behind = listing.page_of(
            offers, lambda offer: (offer.name,), order=self.parameters["order"], after=after
        )
        page, more = split_page(behind, self.parameters["limit"])
        results = ModelOffer([_shown(offer) for offer in page], many=True).data
        cursor = listing.next_cursor(self, page[-1].name) if more else None
        return page_response(request, results, next_page=cursor)


def show_price(price: Price | None) -> dict[str, Any] | None:
    """Return the price as it is shown, None if it is not known."""
    if price is None:
        return None
    return {
        "prompt": price.prompt,
        "cached_prompt": price.cached_prompt,
        "completion": price.completion,
        "source": price.source,
        "as_of": price.as_of or None,
    }


def _shown(offer: OfferedModel) -> dict[str, Any]:
    return {
        "model": offer.name,
        "server": offer.server,
        "chat_model": offer.chat_model,
        "embedding_model": offer.embedding_model,
        "price": show_price(offer.price),
        "embedding_price": show_price(offer.embedding_price),
        "is_default": offer.is_default,
        "others_allowed": offer.others_allowed,
    }
