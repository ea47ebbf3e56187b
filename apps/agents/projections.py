"""The rows about people, written with the events that say them."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import models

from apps.agents.events import (
    ActionBegan,
    AgentJoined,
    AgentLeft,
    EntryTried,
    Noticed,
    PlacesLearnt,
    Sight,
    TurnedAway,
    WalkBegan,
)
from apps.agents.models import (
    ActionRow,
    AgentRow,
    KnownPlaceRow,
    SeenPersonRow,
    TurnedAwayRow,
    UseRow,
)
from apps.eventlog.event import Recorded
from apps.eventlog.projection import Projection

GONE = "gone"
FOR_GOOD = 2**31 - 1


def _close(model: type[models.Model], recorded: Recorded, **of: Any) -> None:
    """End the person's open rows at the event's tick."""
    model._default_manager.filter(
        simulation_id=recorded.simulation_id, agent=recorded.stream, to_tick=None, **of
    ).update(to_tick=recorded.tick)


def _whose(recorded: Recorded) -> dict[str, Any]:
    return {
        "simulation_id": recorded.simulation_id,
        "agent": recorded.stream,
        "from_tick": recorded.tick,
    }


def _joined(recorded: Recorded) -> None:
    event = recorded.event
    assert isinstance(event, AgentJoined)
    AgentRow.objects.create(
        simulation_id=recorded.simulation_id,
        agent=recorded.stream,
        name=event.name,
        age=event.age,
        traits=list(event.traits),
        wake_minute=event.wake_minute,
        sleep_minute=event.sleep_minute,
        dinner_minute=event.dinner_minute,
        home=event.home,
        bed=event.bed,
        workplace=event.workplace,
        description=event.description,
        joined_tick=recorded.tick,
    )
    KnownPlaceRow.objects.bulk_create(
        KnownPlaceRow(node=node, state="", **_whose(recorded)) for node in event.knows
    )


def _left(recorded: Recorded) -> None:
    AgentRow.objects.filter(simulation_id=recorded.simulation_id, agent=recorded.stream).update(
        left_tick=recorded.tick
    )
    _act(recorded, [], description=GONE, emoji="", until_tick=FOR_GOOD, plan_item=0)
    _end_uses(recorded, _open_uses(recorded))


def _moved(recorded: Recorded) -> None:
    event = recorded.event
    assert isinstance(event, WalkBegan)
    _act(
        recorded,
        event.steps,
        description=event.description,
        emoji=event.emoji,
        towards=event.towards,
        until_tick=recorded.tick + len(event.steps),
        plan_item=event.plan_item,
    )
    # Whoever walks off uses no object; the area that holds few is left at its door only.
    _end_uses(recorded, [use for use in _open_uses(recorded) if _is_left(use, event.leaves)])


def _acted(recorded: Recorded) -> None:
    event = recorded.event
    assert isinstance(event, ActionBegan)
    _act(
        recorded,
        [event.tile],
        description=event.description,
        emoji=event.emoji,
        area=event.area,
        object=event.object,
        object_state=event.object_state,
        asleep=event.asleep,
        until_tick=event.until_tick,
        plan_item=event.plan_item,
    )
    # A room that holds few counts whoever acts in it; who acts elsewhere is not in it.
    open_uses = [use for use in _open_uses(recorded) if use.node != event.area]
    _end_uses(recorded, open_uses)
    if event.object:
        going_on = [use.since_tick for use in open_uses if use.node == event.object]
        since = min(going_on, default=recorded.tick)
        _use(recorded, event.object, state=event.object_state, since_tick=since)


def _entry_tried(recorded: Recorded) -> None:
    event = recorded.event
    assert isinstance(event, EntryTried)
    _act(
        recorded,
        [event.tile],
        description=event.description,
        emoji=event.emoji,
        towards=event.towards,
        until_tick=recorded.tick + 1,
        plan_item=event.plan_item,
    )
    _use(recorded, event.area, is_area=True, since_tick=recorded.tick)


def _turned_away(recorded: Recorded) -> None:
    event = recorded.event
    assert isinstance(event, TurnedAway)
    _close(UseRow, recorded, node=event.node)
    TurnedAwayRow.objects.create(
        simulation_id=recorded.simulation_id,
        agent=recorded.stream,
        tick=recorded.tick,
        node=event.node,
        why=event.why,
    )


def _noticed(recorded: Recorded) -> None:
    event = recorded.event
    assert isinstance(event, Noticed)
    for sight in event.sights:
        if sight.is_object:
            _know(recorded, [sight.subject], state=sight.description)
        else:
            _see(recorded, sight)


def _places_learnt(recorded: Recorded) -> None:
    event = recorded.event
    assert isinstance(event, PlacesLearnt)
    _know(recorded, event.nodes)


def _open_uses(recorded: Recorded) -> list[UseRow]:
    return list(
        UseRow.objects.filter(
            simulation_id=recorded.simulation_id, agent=recorded.stream, to_tick=None
        )
    )


def _is_left(use: UseRow, area_left: str) -> bool:
    return use.node == area_left or not use.is_area


def _end_uses(recorded: Recorded, uses: Sequence[UseRow]) -> None:
    if uses:
        UseRow.objects.filter(pk__in=[use.pk for use in uses]).update(to_tick=recorded.tick)


def _use(recorded: Recorded, node: str, **how: Any) -> None:
    UseRow.objects.create(
        node=node, **({"state": "", "is_area": False} | how), **_whose(recorded)
    )


def _act(recorded: Recorded, steps: Sequence[tuple[int, int]], **what: Any) -> None:
    nothing = {"area": "", "object": "", "object_state": "", "asleep": False, "towards": ""}
    _close(ActionRow, recorded)
    ActionRow.objects.create(
        steps=[list(step) for step in steps],
        event=str(recorded.place),
        **_whose(recorded),
        **(nothing | what),
    )


def _know(recorded: Recorded, nodes: Iterable[str], *, state: str = "") -> None:
    nodes = list(nodes)
    _close(KnownPlaceRow, recorded, node__in=nodes)
    KnownPlaceRow.objects.bulk_create(
        KnownPlaceRow(node=node, state=state, **_whose(recorded)) for node in nodes
    )


def _see(recorded: Recorded, sight: Sight) -> None:
    _close(SeenPersonRow, recorded, subject=sight.subject)
    SeenPersonRow.objects.create(
        subject=sight.subject,
        description=sight.description,
        area=sight.area,
        **_whose(recorded),
    )


PEOPLE = Projection(
    name="agents.people",
    models=(
        AgentRow,
        ActionRow,
        UseRow,
        KnownPlaceRow,
        SeenPersonRow,
        TurnedAwayRow,
    ),
    handlers={
        AgentJoined: _joined,
        AgentLeft: _left,
        ActionBegan: _acted,
        WalkBegan: _moved,
        EntryTried: _entry_tried,
        TurnedAway: _turned_away,
        Noticed: _noticed,
        PlacesLearnt: _places_learnt,
    },
)
