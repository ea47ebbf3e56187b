"""The provenance of an event: plan, reaction, retrievals, prompts (V6)."""

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api.http.deprecation import deprecated_name_of
from apps.api.http.fields import Clock, GameTime, Renaming, Tick
from apps.api.http.simulation_context import SimulationContext, clock_at
from apps.api.http.simulation_views import SimulationView
from apps.api.resources.events import tracing
from apps.api.resources.events.lookup import EventUnknown, settled_event
from apps.api.resources.events.presentation import LoggedEvent, show_event
from apps.api.resources.events.retrieval_traces import Retrieval
from apps.api.resources.events.tracing import CAUSES_MAX, Trace
from apps.api.resources.memories import Memory, memory_fields
from apps.api.resources.model_calls import CallInFull, show_full_call
from apps.api.resources.retrievals import ScoreParts
from apps.llm.port import ModelMisconfigured, ModelUnavailable
from apps.planning.rules import Level

_LEVELS: tuple[Level, ...] = ("action", "hour", "outline")


class PlannedStep(Renaming):
    """An item of the plan, and the event that planned it."""

    number = serializers.IntegerField(min_value=1)
    description = serializers.CharField()
    place = serializers.CharField()
    from_ = GameTime(**deprecated_name_of("start_at"))
    to = GameTime(**deprecated_name_of("end_at"))
    start_at = GameTime()
    start_tick = Tick()
    end_at = GameTime()
    end_tick = Tick()
    event = serializers.CharField(allow_null=True)


class PlanBehind(serializers.Serializer[Any]):
    """What the plan had: the action, the hour that it is part of, the chunk of the day."""

    action = PlannedStep(allow_null=True)
    hour = PlannedStep(allow_null=True)
    outline = PlannedStep(allow_null=True)


class RecalledMemory(Memory):
    """A memory that came to mind, with its score of then and where it comes from."""

    event = serializers.CharField(help_text="The event that formed it.")
    source = serializers.CharField(  # type: ignore[assignment]  # the framework's own word
        allow_null=True, help_text="The event that it was formed of, if it names one."
    )
    rank = serializers.IntegerField(min_value=1)
    score = serializers.FloatField()
    parts = ScoreParts()


class RetrievalThen(Renaming):
    """A retrieval of that turn, its scores worked out again as of then (M6)."""

    event = serializers.CharField(help_text="The event that says so.")
    for_ = serializers.CharField(help_text="The event that it was made for.")
    purpose = serializers.CharField()
    query = serializers.CharField()
    clock = Clock(help_text="As of when the stream was read.")
    decay = serializers.FloatField(help_text="Of recency, per game hour.")
    memories = RecalledMemory(many=True, help_text="Those in the prompt, the best first.")


class EvidenceMemory(Memory):
    """A memory that a thought rests on."""

    event = serializers.CharField()
    source = serializers.CharField(allow_null=True)  # type: ignore[assignment]  # as above


class CallBehind(CallInFull, Renaming):
    """A model call with its prompt and its raw answers, and which event it is behind."""

    for_ = serializers.CharField()


class Why(serializers.Serializer[Any]):
    """Where an event comes from, one step deep; every id in it can be asked about in turn."""

    event = LoggedEvent()
    causes = LoggedEvent(
        many=True,
        help_text=f"The event before it, the one before that, and so on; at most {CAUSES_MAX}.",
    )
    conversation = serializers.CharField(
        allow_null=True, help_text="The conversation that it belongs to."
    )
    plan = PlanBehind(allow_null=True, help_text="What was planned for that moment.")
    reaction = LoggedEvent(
        allow_null=True, help_text="The weighing of what was perceived that led to it."
    )
    retrievals = RetrievalThen(many=True, help_text="What came to mind for it.")
    evidence = EvidenceMemory(many=True, help_text="What a memory was derived from.")
    model_calls = CallBehind(many=True, help_text="The prompts and answers behind it.")


class Provenance(SimulationView):
    """Why something happened."""

    errors: ClassVar = {"GET": (EventUnknown, ModelMisconfigured, ModelUnavailable)}

    @extend_schema(
        operation_id="getProvenance",
        summary="Why it happened: causes, plan, reaction, memories with scores, prompt, answer",
        tags=["log"],
        responses={200: Why},
    )
    def get(
        self, _request: Request, tick: str, stream: str, ordinal: str, **_names: str
    ) -> Response:
        """Tell where the event comes from."""
        context = self.context
        event = settled_event(context, f"{tick}/{stream}/{ordinal}")
        found = tracing.trace(context, event)
        shown = {
            "event": show_event(event, context.calendar),
            "causes": [show_event(cause, context.calendar) for cause in found.causes],
            "conversation": event.data.get("conversation"),
            "plan": _plan(found, context),
            "reaction": found.reaction and show_event(found.reaction, context.calendar),
            "retrievals": [_retrieval(one, context) for one in found.retrievals],
            "evidence": [
                _memory(row, row.number, context)
                | {"event": row.event_id, "source": found.sources.get(row.event_id)}
                for row in found.evidence
            ],
            "model_calls": [
                show_full_call(call, context) | {"for": behind} for behind, call in found.calls
            ],
        }
        return Response(Why(shown).data)


def _plan(found: Trace, context: SimulationContext) -> dict[str, Any] | None:
    if not found.plan:
        return None
    by_level = {planned.item.level: (planned, event) for planned, event in found.plan}
    shown: dict[str, Any] = dict.fromkeys(_LEVELS)
    for level, (planned, event) in by_level.items():
        shown[level] = {
            "number": planned.item.number,
            "description": planned.item.description,
            "place": planned.item.place,
            **context.moment("start", planned.item.from_tick),
            **context.moment("end", planned.item.to_tick),
            "event": event,
        }
    return shown


def _retrieval(one: Retrieval, context: SimulationContext) -> dict[str, Any]:
    return {
        "event": one.event,
        "for": one.made_for,
        "purpose": one.recalled.purpose,
        "query": one.recalled.query,
        "clock": clock_at(context.calendar, one.as_of_tick),
        "decay": one.recalled.decay,
        "memories": [
            _memory(memory, memory.number, context)
            | {
                "event": one.events.get(memory.number, ""),
                "source": one.sources.get(memory.number),
                "rank": memory.rank,
                "score": memory.score,
                "parts": memory.parts,
            }
            for memory in one.memories
        ],
    }


def _memory(memory: Any, number: int, context: SimulationContext) -> dict[str, Any]:
    return memory_fields(memory, number=number, context=context)
