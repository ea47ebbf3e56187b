"""Begin an action where the agent stands: an errand that is there, or waiting and idling."""

from apps.agents.events import ActionBegan, ActionKind
from apps.kernel.game_time import FOREVER_TICK
from apps.memory.events import MemoryKind, MemoryOrigin
from apps.simulation.turn.context import Turn
from apps.simulation.turn.errand import Errand

EMOJI_OF_KINDS = {
    ActionKind.WALKING: "🚶",
    ActionKind.WAITING: "⏳",
    ActionKind.PASSING_TIME: "💭",
    ActionKind.IDLE: "👀",
}
PASSING_THE_TIME = "passing the time"
LOOKING_AROUND = "looking around"


def begin(turn: Turn, errand: Errand, *, cause: str = "") -> None:
    """Begin the errand, and remember it."""
    began = turn.say(
        ActionBegan(
            kind=errand.kind,
            description=errand.description,
            emoji=errand.emoji,
            tile=turn.tile,
            area=turn.area,
            object=errand.object,
            object_state=errand.object_state,
            asleep=errand.asleep,
            until_tick=errand.to_tick,
            plan_item=errand.plan_item,
        ),
        cause=cause,
    )
    turn.remember(
        MemoryKind.OBSERVATION,
        f"{turn.identity.name} is {errand.description}",
        cause=began,
        subject=turn.identity.slug,
        origin=MemoryOrigin.OWN_ACTION,
    )


def look_around(turn: Turn) -> None:
    """Stay until the user asks for something."""
    _stay(turn, ActionKind.IDLE, LOOKING_AROUND, until=FOREVER_TICK)


def pass_time(turn: Turn, *, until: int, plan_item: int = 0) -> None:
    """Stay because what was planned cannot be done."""
    _stay(turn, ActionKind.PASSING_TIME, PASSING_THE_TIME, until=until, plan_item=plan_item)


def wait(turn: Turn, what: str, *, until: int, plan_item: int) -> None:
    """Stay until something can be entered or used; `what` follows "waiting for"."""
    description = f"waiting for {what}"
    _stay(turn, ActionKind.WAITING, description, until=until, plan_item=plan_item)


def _stay(
    turn: Turn, kind: ActionKind, description: str, *, until: int, plan_item: int = 0
) -> None:
    begin(
        turn,
        Errand(
            kind=kind,
            plan_item=plan_item,
            description=description,
            emoji=EMOJI_OF_KINDS[kind],
            area=turn.area,
            from_tick=turn.tick,
            to_tick=until,
        ),
    )
