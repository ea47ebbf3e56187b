"""The audit of model calls, and their cost (L3)."""

import re
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.agents.naming import AgentUnknown
from apps.api.http.downloads import DownloadableList, FormatParameter, page_or_download
from apps.api.http.fields import Choice, GameTime, Serializer, SlugParameter, TextOrNull
from apps.api.http.lists import Paged, TimeRange, order_parameter, search_parameter
from apps.api.http.simulation_views import AsOf, SimulationView
from apps.api.http.value_serializers import serializer_of
from apps.api.http.views import operation
from apps.kernel.requested_values import SLUG_PATTERN, TASK_CHARACTERS_MAX
from apps.llm.answers import differences
from apps.llm.calls import queries as llm_queries
from apps.llm.calls.answering import AnswerOutcome
from apps.llm.calls.prompt_storage import fetch_messages
from apps.llm.calls.queries import AnswerOutcomes, CallFilters, CostGroup, ModelCallUnknown
from apps.llm.port import CallPurpose

_CALL_ID = re.compile(
    rf"[0-9]{{1,10}}/{SLUG_PATTERN}/[a-z0-9_.]{{1,{TASK_CHARACTERS_MAX}}}/[0-9]{{1,10}}"
)

_SERVED = {
    "served_model": "The model that answered, as the server names it.",
    "system_fingerprint": "The configuration of the server, on which answers depend.",
    "server_version": "The version of the program that serves the model.",
}


def task_parameter() -> serializers.CharField:
    """Return the field of a query that names an LLM task."""
    return serializers.CharField(
        required=False, max_length=TASK_CHARACTERS_MAX, help_text="Only calls of this LLM task."
    )


def cached_tokens() -> serializers.IntegerField:
    """Return the field of the input tokens that the server had in its cache."""
    return serializers.IntegerField(
        min_value=0,
        help_text="Those of `prompt_tokens` that the server had in its cache, as it reports.",
    )


def billed_tokens() -> serializers.IntegerField:
    """Return the field of the billed-equivalent tokens."""
    return serializers.IntegerField(
        min_value=0,
        help_text="Tokens of input and output, where a cached token counts the ratio of its "
        "price to that of other input; half a token if the price is not known.",
    )


def served_field(name: str) -> TextOrNull:
    """Return the field of what a server reports of what answered; null without a report."""
    return TextOrNull(
        allow_null=True, help_text=f"{_SERVED[name]} Null if the server reports none."
    )


class Call(Serializer):
    """A model call in a list."""

    id = serializers.CharField(source="call_id", help_text='"tick/stream/task/n".')
    tick = serializers.IntegerField(min_value=0)
    time = GameTime(source="tick")
    stream = serializers.CharField()
    task = serializers.CharField()
    wording_version = serializers.CharField()
    server = serializers.CharField()
    model = serializers.CharField()
    outcome = Choice(choices=AnswerOutcome)
    fallback = TextOrNull(allow_null=True, help_text="The fallback that answered.")
    prompt_tokens = serializers.IntegerField(min_value=0)
    completion_tokens = serializers.IntegerField(min_value=0)
    latency_ms = serializers.IntegerField(min_value=0)
    cost = serializers.FloatField(min_value=0)
    served_model = served_field("served_model")
    system_fingerprint = served_field("system_fingerprint")
    server_version = served_field("server_version")
    recorded_at = serializers.DateTimeField(help_text="By the service's clock.")
    cached_prompt_tokens = cached_tokens()
    billed_equivalent_tokens = billed_tokens()
    purpose = Choice(
        choices=CallPurpose,
        help_text="A turn, or an interview: also a judge of answers, or a search for news.",
    )


Difference = serializer_of(differences.Difference)


class CallInFull(Call):
    """A model call with its messages, all attempts, and the answer."""

    messages = serializers.ListField(child=serializers.DictField())
    attempts = serializers.ListField(child=serializers.DictField())
    answer = serializers.DictField(help_text="The answer that was done.")
    differences = serializers.ListField(
        child=Difference(), help_text="From the last answer of the model to the one done."
    )


class CallParameters(Paged, AsOf, TimeRange, FormatParameter):
    """The filters and the order of model calls."""

    agent = SlugParameter(required=False, help_text="Only calls of this agent's turns.")
    task = task_parameter()
    outcome = Choice(
        choices=AnswerOutcome, required=False, help_text="Only calls of this outcome."
    )
    full = serializers.BooleanField(
        required=False,
        default=False,
        help_text="Each call with messages, attempts and answer, as …/model-calls/{id} has it.",
    )
    search = search_parameter("prompts, answer")
    order = order_parameter("tick")


class ModelCalls(DownloadableList):
    """The model calls of a simulation; a guest may read all of each."""

    query = CallParameters
    # Interviews and retrievals as of a moment make calls at its tick.
    changes_later = True

    @operation(
        "listModelCalls",
        "/model-calls",
        "models",
        page_or_download(Call),
        errors=(AgentUnknown,),
    )
    def get(self, request: Request, **_names: str) -> Any:
        """List the model calls of committed ticks, in the order of tick, stream, call."""
        requested, end = self.parameters, self.context.as_of_tick + 1
        self.context.require_known_agent(requested.get("agent"))
        filters = CallFilters(
            stream=requested.get("agent"),
            task=requested.get("task"),
            outcome=requested.get("outcome"),
            from_tick=requested.get("from"),
            to_tick=min(requested.get("to", end), end),
            search=requested.get("search"),
        )
        rows = llm_queries.model_call_rows(self.context.id, filters)
        key = ("tick", "stream", "pk")
        if requested["full"]:
            return self.page(rows, CallInFull, prepare=fetch_messages, tick=key)
        return self.page(rows, Call, tick=key)


OutcomesOfTask = serializer_of(
    AnswerOutcomes,
    "OutcomesOfTask",
    kept_share=serializers.FloatField(
        min_value=0, max_value=1, allow_null=True, help_text="Null without calls."
    ),
)


class OutcomeTable(Serializer):
    """The outcomes of the answers of a simulation's model calls."""

    total = OutcomesOfTask()
    by_task = OutcomesOfTask(many=True)
    by_model = OutcomesOfTask(many=True)


class Outcomes(SimulationView):
    """How many answers of the model are done as given."""

    changes_later = True

    @operation("getModelCallOutcomes", "/model-calls/outcomes", "models", OutcomeTable)
    def get(self, request: Request, **_names: str) -> Response:
        """Count the answers that are kept as given, adjusted, asked again or replaced.

        Calls of interviews, surveys and other evaluations are counted; those of the turns alone
        are part of `GET …/quality`.
        """
        shown: dict[str, Any] = {}
        for group in (CostGroup.TASK, CostGroup.MODEL):
            shown["total"], shown[f"by_{group}"] = llm_queries.answer_outcomes(
                self.context.id, by=group, as_of_tick=self.context.as_of_tick
            )
        return Response(self.represent(OutcomeTable, shown))


class OneModelCall(SimulationView):
    """A model call with its prompt and its answers."""

    changes_later = True

    @operation(
        "getModelCall",
        "/model-calls/{tick}/{stream}/{llm_task}/{call}",
        "models",
        CallInFull,
        errors=(ModelCallUnknown,),
    )
    def get(
        self, request: Request, tick: str, stream: str, llm_task: str, call: str, **_names: str
    ) -> Response:
        """Show a model call: messages, raw answers, attempts; its id ends the address."""
        call_id = f"{tick}/{stream}/{llm_task}/{call}"
        unknown = ModelCallUnknown(
            f"no committed model call of this simulation has the id {call_id}"
        )
        if not _CALL_ID.fullmatch(call_id):
            raise unknown
        found = llm_queries.get_model_call(self.context.id, call_id)
        if found.tick > self.context.as_of_tick:
            raise unknown
        return Response(self.represent(CallInFull, found))
