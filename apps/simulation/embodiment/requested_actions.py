"""What users request of embodied agents, from HTTP to the step, and their control (U4)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, model_validator

from apps.agents.acts import ActKind
from apps.agents.events import Tile
from apps.agents.spoken_words import UTTERANCE_CHARACTERS_MAX, UTTERANCE_WORDS_MAX
from apps.kernel.names import SLUG_CHARACTERS_MAX
from apps.kernel.request_models import RequestModel, fault
from apps.llm.cleaning import in_one_line
from apps.planning.checks import (
    EMOJI_CHARACTERS_MAX,
    STATE_CHARACTERS_MAX,
    require_emoji,
    require_state,
)

DOING_CHARACTERS_MAX = 200
PATH_CHARACTERS_MAX = 300
COORDINATE_MAX = 100_000
MINUTES_DEFAULT, MINUTES_MAX = 10, 24 * 60


def _said(text: str) -> str:
    line = in_one_line(text)
    if not 0 < len(line.split()) <= UTTERANCE_WORDS_MAX:
        raise fault(f"say 1 to {UTTERANCE_WORDS_MAX} words at a time", "max-length")
    return line


def _state(text: str) -> str:
    if text:
        require_state(text, field="state")
    return in_one_line(text)


def _emoji(text: str) -> str:
    if text:
        require_emoji(text, field="emoji")
    return in_one_line(text)


class TileOfMap(RequestModel):
    """A tile of the map; (0, 0) is the top left."""

    x: Annotated[int, Field(ge=0, le=COORDINATE_MAX)]
    """From the left."""
    y: Annotated[int, Field(ge=0, le=COORDINATE_MAX)]
    """From the top."""


def _tile(given: Any) -> Any:
    if isinstance(given, Mapping):
        tile = TileOfMap.model_validate(given)
        return tile.x, tile.y
    return tuple(given) if isinstance(given, list) else given


def _text(characters_max: int, *, least: int = 0) -> Any:  # as pydantic's Field
    return Field(min_length=least, max_length=characters_max)


_Line = AfterValidator(in_one_line)
_Slug = Annotated[str, _text(SLUG_CHARACTERS_MAX)]
_Path = Annotated[str, _text(PATH_CHARACTERS_MAX)]
_StateText = Annotated[str, _text(STATE_CHARACTERS_MAX), AfterValidator(_state)]
_Minutes = Annotated[int, Field(ge=1, le=MINUTES_MAX)]


class Move(RequestModel):
    """The destination of a walk: a node of the world, or a tile."""

    to: _Path = ""
    """A place, an area or an object, by a unique name."""
    tile: Annotated[Tile, BeforeValidator(_tile, json_schema_input_type=TileOfMap)] | None = (
        None
    )
    """A tile instead."""

    @model_validator(mode="after")
    def _has_one_destination(self) -> "Move":
        if bool(self.to) == (self.tile is not None):
            raise fault("give either `to` or `tile`", "one-of")
        return self


class Say(RequestModel):
    """The text to say, and the listener."""

    text: Annotated[str, _text(UTTERANCE_CHARACTERS_MAX, least=1), AfterValidator(_said)]
    """The words."""
    to: _Slug = ""
    """A slug; the partner of the conversation, or the last speaker, if left out."""
    ends: bool = False
    """Whether no reply is expected."""
    by_phone: bool = False
    """Whether to call the agent `to` where it is not in view, if the world has telephones. It
    hears the words when it answers, after two minutes; the reply is in `heard`, and is answered
    with `say`."""
    to_all: bool = False
    """Whether the words are said to all agents in view that are free; `to` is the one that is
    to answer."""

    @model_validator(mode="after")
    def _names_whom_it_calls(self) -> "Say":
        if self.by_phone and not self.to:
            raise fault("to phone an agent, name it in `to`", "required")
        return self


class Use(RequestModel):
    """An activity with an object, and its duration."""

    object: Annotated[str, _text(PATH_CHARACTERS_MAX, least=1)]
    """By a unique name."""
    doing: Annotated[str, _text(DOING_CHARACTERS_MAX, least=1), _Line]
    """Continues "<name> is"."""
    minutes: _Minutes = MINUTES_DEFAULT
    """How long it takes."""
    state: _StateText = ""
    """The state of the object meanwhile, such as "brewing coffee"."""
    emoji: Annotated[str, _text(EMOJI_CHARACTERS_MAX), AfterValidator(_emoji)] = ""
    """One or two emoji that show the action."""


RequestableAct = Literal[
    ActKind.LOOK_FOR, ActKind.WAIT_FOR, ActKind.FOLLOW, ActKind.GIVE, ActKind.LEAVE
]
REQUESTABLE_ACTS = [kind.value for kind in get_args(RequestableAct)]


class WithAgent(RequestModel):
    """An act with another agent, or a thing left for others."""

    model_config = ConfigDict(validate_by_name=True, validate_by_alias=True)

    # An embodied agent talks by the utterances of its user.
    kind: RequestableAct
    """`look for` walks through the places where the agent may be; `wait for` stays until it
    comes into view; `follow` walks where it walks; what is given or left stays at the
    object."""
    other: Annotated[_Slug, Field(alias="agent")] = ""
    """A slug; needed for all kinds but `leave`."""
    thing: Annotated[str, _text(DOING_CHARACTERS_MAX), _Line] = ""
    """What is given or left."""
    object: _Path = ""
    """Where the thing stays, by a unique name."""
    state: _StateText = ""
    """The state of the object from then on; "holding <thing>" if left out."""
    minutes: _Minutes = MINUTES_DEFAULT
    """The longest time to wait or to follow."""

    @model_validator(mode="after")
    def _is_whole(self) -> "WithAgent":
        if self.kind.names_agent and not self.other:
            raise fault(f"to {self.kind} an agent, name it in `agent`", "required")
        if self.kind.leaves_thing and not (self.thing and self.object):
            raise fault(
                f"to {self.kind} a thing, name it in `thing`, and its `object`", "required"
            )
        return self


class Open(RequestModel):
    """The opening of the door of the agent's home, or of its private room, to a visitor."""

    to: Annotated[str, _text(SLUG_CHARACTERS_MAX, least=1)]
    """The slug of the agent at the door."""


Action = Move | Say | Use | WithAgent | Open


class GivenAction(RequestModel):
    """One of the five actions."""

    move: Move | None = None
    """A walk."""
    say: Say | None = None
    """An utterance."""
    act: Use | None = None
    """An activity with an object."""
    with_agent: WithAgent | None = None
    """An act with another agent."""
    open: Open | None = None
    """The opening of a door."""

    @model_validator(mode="after")
    def _has_one_action(self) -> "GivenAction":
        if sum(getattr(self, name) is not None for name in ACTIONS) != 1:
            raise fault(f"give one of {', '.join(ACTIONS)}, and no more than one", "one-of")
        return self

    @property
    def action(self) -> Action:
        """The action that is given."""
        [action] = (one for name in ACTIONS if (one := getattr(self, name)) is not None)
        found: Action = action
        return found


ACTIONS: Mapping[str, type[Action]] = {
    "move": Move,
    "say": Say,
    "act": Use,
    "with_agent": WithAgent,
    "open": Open,
}
"""The actions by the names that requests, commands and rows have for them."""
NAMES: Mapping[type[Action], str] = {kind: name for name, kind in ACTIONS.items()}
ACTION_NAMES = list(ACTIONS)


class Outcome(StrEnum):
    """The state of an action request that the agent has answered."""

    BEGUN = "begun"
    DONE = "done"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Embodiment:
    """A user's control of an agent in the ticks [from_tick, to_tick); None: not ended."""

    number: int
    agent: str
    is_visitor: bool
    by: str
    reason: str
    from_tick: int
    to_tick: int | None
    ended_by: str
    ended_reason: str

    def is_active_at(self, tick: int) -> bool:
        """Return whether the user controls the agent in the tick."""
        return self.from_tick <= tick and (self.to_tick is None or self.to_tick > tick)


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionRequest:
    """A request to an embodied agent, and its outcome.

    `event` is the identity of the requesting event; the request is in effect from `tick` on.
    `action` None is the beginning or the end of the control. `outcome` is "" until the agent
    answers, at `answered_tick`.
    """

    event: str
    tick: int
    embodiment: int
    action: Action | None
    by: str
    reason: str
    outcome: str = ""
    answered_tick: int | None = None
    code: str = ""
    why: str = ""

    @property
    def kind(self) -> str:
        """The name of the action in requests; "" for the beginning and the end."""
        return "" if self.action is None else NAMES[type(self.action)]

    @property
    def is_open(self) -> bool:
        """Whether the agent has yet to answer the request."""
        return not self.outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """The control of an agent by a user in one turn.

    `embodiment` is the latest one, `requests` are those without an answer, in order, and
    `in_progress` is the request that the agent has begun and not completed.
    """

    embodiment: Embodiment
    requests: tuple[ActionRequest, ...]
    in_progress: ActionRequest | None


def control_at(
    embodiment: Embodiment, requests: Iterable[ActionRequest], *, tick: int
) -> Control | None:
    """Return the control that is exerted in the tick; None if the agent controls itself.

    :param embodiment: the latest that has begun by the tick.
    :param requests: all of the agent's that are in effect by the tick, in order.
    """
    requests = tuple(requests)
    waiting = tuple(request for request in requests if request.is_open)
    begun = [request for request in requests if request.outcome == Outcome.BEGUN]
    if not waiting and not embodiment.is_active_at(tick):
        return None
    return Control(
        embodiment=embodiment, requests=waiting, in_progress=begun[-1] if begun else None
    )
