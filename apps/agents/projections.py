"""The projection of agents and objects."""

import json
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from django.db import models
from django.db.models import Min, Value
from django.db.models.functions import Least

from apps.agents import statements
from apps.agents.acts import ActKind
from apps.agents.events import (
    ActionBegan,
    ActionKind,
    ActReported,
    AdmissionEnded,
    AdmissionGranted,
    AgentJoined,
    AgentLeft,
    AgentReturned,
    DoorKnocked,
    DoorOpened,
    EntryTried,
    Noticed,
    ObjectRighted,
    ObjectStateLeft,
    ObjectStateSet,
    PlacesLearnt,
    Sight,
    TurnedAway,
    WalkBegan,
)
from apps.agents.models import (
    ActionRow,
    ActReportRow,
    AdmissionRow,
    AgentRow,
    DoorOpeningRow,
    KnownPlaceRow,
    ObjectStateRow,
    SeenAgentRow,
    StayRow,
    TurnedAwayRow,
    UseRow,
)
from apps.django_support.statements import carry_out
from apps.eventlog.event import Recorded
from apps.eventlog.projection import Projection, agent_rows, close, fields_of, insert, inserting
from apps.kernel.game_time import FOREVER_TICK
from apps.lineage.statements import copy_inherited

GONE = "gone"


def _whose(recorded: Recorded) -> dict[str, object]:
    """Return the parameters of all statements."""
    return {
        "simulation": recorded.simulation_id,
        "agent": recorded.stream,
        "tick": recorded.tick,
    }


def _joined(event: AgentJoined, recorded: Recorded) -> None:
    insert(AgentRow, recorded, joined_tick=recorded.tick)
    insert(StayRow, recorded)
    _know(recorded, [(node, "") for node in event.knows])


def _left(_event: AgentLeft, recorded: Recorded) -> None:
    agent_rows(AgentRow, recorded).update(left_tick=recorded.tick)
    for model in (StayRow, UseRow, AdmissionRow):
        close(model, recorded)
    nothing = {"description": GONE, "emoji": "", "until_tick": FOREVER_TICK, "plan_item": 0}
    _act(recorded, [], nothing)


def _returned(_event: AgentReturned, recorded: Recorded) -> None:
    agent_rows(AgentRow, recorded).update(left_tick=None)
    insert(StayRow, recorded)


def _copy_inherited(
    model: type[models.Model],
    condition: str,
    recorded: Recorded,
    values: Mapping[str, object] = MappingProxyType({}),
) -> None:
    """Copy the rows that a branch inherits before a statement changes them."""
    copy_inherited(model, recorded.simulation_id, condition, _whose(recorded) | dict(values))


def _walk_off(recorded: Recorded, *, leaves: str) -> None:
    """End the use of objects, and of the area that a walk leaves."""
    values = {"leaves": leaves}
    _copy_inherited(UseRow, statements.LEFT_BY_WALK, recorded, values)
    carry_out(statements.WALK_OFF, _whose(recorded) | values)


def _moved(event: WalkBegan, recorded: Recorded) -> None:
    until_tick = recorded.tick + len(event.steps)
    _act(recorded, event.steps, fields_of(event) | {"until_tick": until_tick})
    _walk_off(recorded, leaves=event.leaves)


def _acted(event: ActionBegan, recorded: Recorded) -> None:
    _act(recorded, [event.tile], fields_of(event))
    used = {
        "area": event.area,
        "object": event.object,
        "object_state": event.object_state,
    }
    _copy_inherited(UseRow, statements.LEFT_BY_ACTION, recorded, used)
    carry_out(statements.USE_FROM_NOW, _whose(recorded) | used)


def _entry_tried(event: EntryTried, recorded: Recorded) -> None:
    trying = {"area": "", "until_tick": recorded.tick + 1}
    _act(recorded, [event.tile], fields_of(event) | trying)
    carry_out(statements.TRY_ENTRY, _whose(recorded) | {"area": event.area})


def _knocked(event: DoorKnocked, recorded: Recorded) -> None:
    _act(recorded, [event.tile], fields_of(event) | {"towards": event.node})
    _walk_off(recorded, leaves="")


def _turned_away(event: TurnedAway, recorded: Recorded) -> None:
    close(UseRow, recorded, node=event.node)
    insert(TurnedAwayRow, recorded)


def _noticed(event: Noticed, recorded: Recorded) -> None:
    _know(
        recorded, [(seen.subject, seen.description) for seen in event.sights if seen.is_object]
    )
    _see(recorded, [seen for seen in event.sights if not seen.is_object])


def _act(
    recorded: Recorded, steps: Sequence[tuple[int, int]], what: Mapping[str, object]
) -> None:
    """End the agent's action, and begin another."""
    nothing = {"area": "", "object": "", "object_state": "", "asleep": False, "towards": ""}
    nothing |= {"act": ActKind.NONE.value, "other": "", "activity": ""}
    nothing |= {"kind": ActionKind.IDLE.value}
    where = {"steps": json.dumps(steps), "event": str(recorded.place)}
    carry_out(statements.ACT, nothing | dict(what) | where | _whose(recorded))


def _know(recorded: Recorded, states: Iterable[tuple[str, str]]) -> None:
    """Record the states in which the agent knows the nodes."""
    known = [{"node": node, "state": state} for node, state in states]
    if known:
        nodes = {"nodes": [one["node"] for one in known]}
        _copy_inherited(KnownPlaceRow, statements.KNOWN_BEFORE, recorded, nodes)
        carry_out(statements.KNOW, _whose(recorded) | {"known": json.dumps(known)})


def _see(recorded: Recorded, sights: Iterable[Sight]) -> None:
    """Record the sights of other agents."""
    seen = [
        {"subject": sight.subject, "description": sight.description, "area": sight.area}
        for sight in sights
    ]
    if seen:
        subjects = {"subjects": [one["subject"] for one in seen]}
        _copy_inherited(SeenAgentRow, statements.SEEN_BEFORE, recorded, subjects)
        carry_out(statements.SEE, _whose(recorded) | {"seen": json.dumps(seen)})


def _object_state_set(event: ObjectStateSet, recorded: Recorded) -> None:
    # A state that was set earlier in the same tick is never valid.
    _end_states(recorded, object=event.object, from_tick__lte=recorded.tick)
    _insert_state(recorded, event.object, event.state, is_state_alarming=event.is_alarming)


def _object_state_left(event: ObjectStateLeft, recorded: Recorded) -> None:
    # Two agents can leave an object in one tick: neither ends the state of the other.
    _end_states(recorded, object=event.object, from_tick__lt=recorded.tick)
    _insert_state(recorded, event.object, event.state, is_state_alarming=False)


def _insert_state(
    recorded: Recorded, path: str, state: str, *, is_state_alarming: bool
) -> None:
    """Insert a state, which ends where a later one begins; events come in any order."""
    later = ObjectStateRow.objects.filter(
        simulation_id=recorded.simulation_id, object=path, from_tick__gt=recorded.tick
    )
    ObjectStateRow.objects.create(
        simulation_id=recorded.simulation_id,
        object=path,
        state=state,
        is_alarming=is_state_alarming,
        event=str(recorded.place),
        from_tick=recorded.tick,
        to_tick=later.aggregate(begins=Min("from_tick"))["begins"],
    )


def _end_states(recorded: Recorded, **of: Any) -> None:
    """End set states at the tick if they have not ended before; events come in any order."""
    ObjectStateRow.objects.filter(simulation_id=recorded.simulation_id, **of).update(
        to_tick=Least("to_tick", Value(recorded.tick))
    )


PEOPLE = Projection(
    models=(
        AgentRow,
        StayRow,
        ActionRow,
        UseRow,
        DoorOpeningRow,
        AdmissionRow,
        KnownPlaceRow,
        SeenAgentRow,
        TurnedAwayRow,
        ObjectStateRow,
        ActReportRow,
    ),
    handlers={
        AgentJoined: _joined,
        AgentLeft: _left,
        AgentReturned: _returned,
        ActionBegan: _acted,
        WalkBegan: _moved,
        EntryTried: _entry_tried,
        DoorKnocked: _knocked,
        DoorOpened: inserting(DoorOpeningRow),
        AdmissionGranted: inserting(AdmissionRow),
        AdmissionEnded: lambda event, recorded: close(AdmissionRow, recorded, node=event.node),
        TurnedAway: _turned_away,
        Noticed: _noticed,
        PlacesLearnt: lambda event, recorded: _know(recorded, [(it, "") for it in event.nodes]),
        ObjectStateSet: _object_state_set,
        ObjectRighted: lambda event, recorded: _end_states(recorded, event=event.since),
        ObjectStateLeft: _object_state_left,
        ActReported: inserting(ActReportRow),
    },
)
