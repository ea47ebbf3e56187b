"""Replays: requested, listed, shown, deleted."""

from typing import Any, ClassVar

from pydantic import Field
from rest_framework import serializers

from apps.api.http.fields import ResourceURL, TextOrNull, Tick
from apps.api.http.request_errors import FieldError, InvalidRequest
from apps.api.http.simulation_views import SimulationView, committed
from apps.api.http.value_serializers import serializer_of
from apps.api.resources.costs import WorkEstimate, work_estimate
from apps.api.resources.work import (
    SimulationWorkRequests,
    SimulationWorkView,
    Work,
    views_of_requests,
    views_of_work,
)
from apps.kernel.request_models import RequestModel
from apps.kernel.requested_values import LastTickUntil, Reason
from apps.lineage.branches import first_own_tick
from apps.llm.estimates import Estimate
from apps.replays import comparison
from apps.replays.commands import REPLAYS, ReplayInProgress, request_replay


class ReplayRequest(RequestModel):
    """The committed ticks whose turns are taken again; all of them by default."""

    from_: LastTickUntil | None = Field(None, alias="from")
    """The first tick; by default 0, of a branch the first after its fork."""
    to: LastTickUntil | None = None
    """The last tick; by default the committed one."""
    reason: Reason = ""
    """The reason; it is stored with the replay."""


EventVersion = serializer_of(
    comparison.EventVersion,
    data=serializers.DictField(),
    cause=TextOrNull(allow_null=True, help_text="The event or command that caused it."),
)


RepeatedCall = serializer_of(
    comparison.ComparedCall,
    "RepeatedCall",
    id=serializers.CharField(source="call_id"),
    recorded_messages=serializers.ListField(
        child=serializers.DictField(),
        source="recorded",
        allow_null=True,
        help_text="Of then; null if there is no such call on the call log.",
    ),
)


Divergence = serializer_of(
    comparison.Divergence,
    event=serializers.CharField(help_text="The id of the event."),
    error=TextOrNull(
        allow_null=True, help_text="The reason that the turn could not be taken again."
    ),
)


class Replay(Work):
    """A replay, and what it has compared so far."""

    id = serializers.UUIDField()
    status_url = ResourceURL("getReplay", simulation="simulation_id", replay="id")
    from_tick = Tick()
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


class ReplayEstimate(WorkEstimate):
    """The expected use of a replay, which calls no model."""

    ticks = serializers.IntegerField(min_value=1)


class ReplayRequests(SimulationWorkRequests):
    """The replays of a simulation."""

    kind = REPLAYS
    shown_as = Replay
    body_model = ReplayRequest
    estimated_as = ReplayEstimate

    def ticks_of(self, requested: ReplayRequest) -> tuple[int, int]:
        """Return the first and the last tick.

        :raises InvalidRequest: if they are not committed, or the last is before the first.
        """
        committed_tick = self.context.row.committed_tick
        first = min(first_own_tick(self.context.id), committed_tick)
        calendar = self.context.calendar
        from_tick = first if requested.from_ is None else requested.from_
        to_tick = committed_tick if requested.to is None else requested.to
        committed(from_tick, committed_tick, calendar, pointer="/from")
        committed(to_tick, committed_tick, calendar, pointer="/to")
        if to_tick < from_tick:
            detail = f"{calendar.moment(to_tick)} is before {calendar.moment(from_tick)}"
            raise InvalidRequest([FieldError(pointer="/to", code="before-from", detail=detail)])
        return from_tick, to_tick

    def record(self, requested: ReplayRequest) -> Any:
        """Take the turns of a history again from recorded answers, and compare their events.

        Nothing is written to the log, and no model is called. The replay ends at the first
        event that differs.
        """
        from_tick, to_tick = self.ticks_of(requested)
        return request_replay(
            self.context.id,
            from_tick=from_tick,
            to_tick=to_tick,
            by=self.user.get_username(),
            reason=requested.reason,
        )

    def estimate(self, requested: ReplayRequest) -> dict[str, Any]:
        """Return the values of `ReplayEstimate`."""
        from_tick, to_tick = self.ticks_of(requested)
        return work_estimate(Estimate(), ticks=to_tick - from_tick + 1)


class ReplayView(SimulationWorkView):
    """A view of a replay."""

    kind = REPLAYS
    shown_as = Replay
    address: ClassVar[str] = f"{SimulationView.address}/replays/{{replay}}"
    parameter = "replay"


VIEWS = views_of_work(ReplayView, tag="log") + views_of_requests(
    ReplayRequests,
    tag="log",
    route="/replays",
    request_id="replaySimulation",
    errors=(ReplayInProgress,),
)
