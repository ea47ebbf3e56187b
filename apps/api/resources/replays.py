"""Replays: requested, listed, shown, deleted."""

from http import HTTPStatus
from typing import Any, ClassVar

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.access.rights import Right
from apps.api.http.fields import (
    Choice,
    GameTime,
    PastMoment,
    ResourceURL,
    Serializer,
    Strict,
    Text,
    TextOrNull,
    Tick,
)
from apps.api.http.lists import ListView, list_parameters, page_of_items
from apps.api.http.moments import committed
from apps.api.http.operation import operation
from apps.api.http.request_errors import FieldError, InvalidRequest
from apps.api.http.simulation_context import parse_resource_id
from apps.api.http.simulation_views import SimulationView
from apps.api.http.views import Errors
from apps.api.http.worker_tasks import send_after_commit
from apps.api.resources.commands import REASON_CHARACTERS_MAX, accepted_response
from apps.api.resources.requested_work import RequestedWork, Resumption, values_of_work
from apps.lineage.branches import first_own_tick
from apps.replays.commands import (
    REPLAYS,
    ReplayInProgress,
    ReplayNotPaused,
    delete_replay,
    request_replay,
    resume_replay,
)
from apps.replays.models import ReplayRow
from apps.replays.queries import ReplayUnknown, get_replay, list_replays

CARRY_OUT_REPLAY = "smallville.carry_out_replay"


class ReplayRequest(Strict):
    """The committed ticks whose turns are taken again; all of them by default."""

    from_ = PastMoment(
        required=False,
        help_text="The first tick; by default 0, of a branch the first after its fork.",
    )
    to = PastMoment(required=False, help_text="The last tick; by default the committed one.")
    reason = Text(
        max_length=REASON_CHARACTERS_MAX,
        required=False,
        help_text="The reason; it is stored with the replay.",
    )


class EventVersion(Serializer):
    """A version of an event."""

    type = serializers.CharField()
    data = serializers.DictField()  # type: ignore[assignment]
    cause = TextOrNull(allow_null=True, help_text="The event or command that caused it.")
    model_calls = serializers.ListField(child=serializers.CharField())


class RepeatedCall(Serializer):
    """A call that the turn makes again."""

    id = serializers.CharField(source="call_id")
    is_changed = serializers.BooleanField(
        help_text="Whether its request differs: messages, schema or template."
    )
    messages = serializers.ListField(child=serializers.DictField(), help_text="Of now.")
    recorded_messages = serializers.ListField(
        child=serializers.DictField(),
        source="recorded",
        allow_null=True,
        help_text="Of then; null if there is no such call on the call log.",
    )


class Divergence(Serializer):
    """The first event that differs, and the calls of its turn."""

    event = serializers.CharField(help_text="The id of the event.")
    logged = EventVersion(allow_null=True, help_text="As on the log; null if it is not there.")
    replayed = EventVersion(
        allow_null=True, help_text="As the turn leads to it now; null if it does not."
    )
    error = TextOrNull(
        allow_null=True, help_text="The reason that the turn could not be taken again."
    )
    calls = RepeatedCall(many=True)


class ReplayProblem(Serializer):
    """The reason that the comparison was not possible; then the replay can be resumed."""

    code = serializers.CharField()
    detail = serializers.CharField()


class Replay(RequestedWork):
    """A replay, and what it has compared so far."""

    id = serializers.UUIDField()
    status_url = ResourceURL("getReplay", simulation="simulation_id", replay="id")
    state = Choice(choices=ReplayRow.State.choices)
    from_at = GameTime(source="from_tick")
    from_tick = Tick()
    to_at = GameTime(source="to_tick")
    to_tick = Tick()
    tick = Tick(allow_null=True, help_text="The tick of the latest compared turn.")
    turns = serializers.IntegerField(min_value=0)
    events = serializers.IntegerField(min_value=0)
    calls = serializers.IntegerField(
        min_value=0, help_text="Calls that were answered from the call log."
    )
    changed_calls = serializers.IntegerField(
        min_value=0, help_text="Those of `calls` whose request differs from the recorded one."
    )
    changed_call = TextOrNull(allow_null=True, help_text="The id of the first of them.")
    divergence = Divergence(
        allow_null=True, help_text="The first event that differs; the replay ends there."
    )
    problem = ReplayProblem(allow_null=True)

    def to_representation(self, instance: ReplayRow) -> dict[str, Any]:
        """Return the replay with the reason of a failure."""
        row = instance
        shown: dict[str, Any] = super().to_representation(values_of_work(REPLAYS, row))
        return shown


class Replays(ListView, SimulationView):
    """The replays of a simulation."""

    query = list_parameters("by, reason", "recorded_at", default="-recorded_at")
    rights: ClassVar = {"POST": Right.COMMAND}

    @operation("listReplays", "/replays", "log", page_of_items(Replay))
    def get(self, request: Request, **_names: str) -> Any:
        """List the replays of a simulation, by default the latest first."""
        rows = [
            row
            for row in list_replays(self.context.id)
            if self.contains_search(row.by, row.reason)
        ]
        return self.page(rows, Replay, recorded_at=("requested_at",))

    @operation(
        "replaySimulation",
        "/replays",
        "log",
        {202: Replay},
        request=ReplayRequest,
        examples={
            "The whole history": {"reason": "before the upgrade"},
            "A morning": {"from": "2023-02-13T06:00:00", "to": "2023-02-13T12:00:00"},
        },
        errors=(ReplayInProgress,),
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Take the turns of a history again from recorded answers, and compare their events.

        Nothing is written to the log, and no model is called. The replay ends at the first
        event that differs.
        """
        requested = self.body(ReplayRequest)
        settled = self.context.row.settled_tick
        first = min(first_own_tick(self.context.id), settled)
        calendar = self.context.calendar
        from_tick, to_tick = requested.get("from", first), requested.get("to", settled)
        committed(from_tick, settled, calendar, pointer="/from")
        committed(to_tick, settled, calendar, pointer="/to")
        if to_tick < from_tick:
            detail = f"{calendar.moment(to_tick)} is before {calendar.moment(from_tick)}"
            raise InvalidRequest([FieldError(pointer="/to", code="before-from", detail=detail)])
        row = request_replay(
            self.context.id,
            from_tick=from_tick,
            to_tick=to_tick,
            by=self.user.get_username(),
            reason=requested.get("reason", ""),
        )
        send_after_commit(CARRY_OUT_REPLAY, replay_id=str(row.pk))
        return accepted_response(self.represent(Replay, row))


class ReplayView(SimulationView):
    """A view of a replay, which is in `replay_row`."""

    query = Strict
    errors: ClassVar[Errors] = (ReplayUnknown,)
    replay_row: ReplayRow

    def load_resources(self, **names: str) -> None:
        """Load the replay.

        :raises ReplayUnknown: if there is none of that id.
        """
        super().load_resources(**names)
        replay_id = parse_resource_id(names["replay"], ReplayUnknown, "there is no replay")
        self.replay_row = get_replay(self.context.id, replay_id)


class OneReplay(ReplayView):
    """A replay."""

    @operation("getReplay", "/replays/{replay}", "log", Replay)
    def get(self, request: Request, **_names: str) -> Response:
        """Show a replay: its progress, and the first event that differs."""
        return Response(self.represent(Replay, self.replay_row))

    @operation("deleteReplay", "/replays/{replay}", "log", {204: None})
    def delete(self, request: Request, **_names: str) -> Response:
        """Delete a replay; if it is in progress, it stops."""
        delete_replay(self.replay_row)
        return Response(status=HTTPStatus.NO_CONTENT)


class ResumedReplay(ReplayView):
    """The continuation of a replay that an error has stopped."""

    @operation(
        "resumeReplay",
        "/replays/{replay}/resume",
        "log",
        {202: Replay},
        request=Resumption,
        examples={"As it was requested": {}},
        errors=(ReplayNotPaused,),
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Let a paused replay start again at its first tick."""
        self.body(Resumption)
        row = resume_replay(self.replay_row)
        send_after_commit(CARRY_OUT_REPLAY, replay_id=str(row.pk))
        return accepted_response(self.represent(Replay, row))
