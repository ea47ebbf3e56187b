"""What a user may have a person do, held against the world before it is asked (U4)."""

from dataclasses import dataclass
from typing import Any, ClassVar
from uuid import UUID

from apps.agents.events import Tile
from apps.agents.naming import AgentUnknown
from apps.dialogue.rules import UTTERANCE_CHARACTERS_MAX, UTTERANCE_WORDS_MAX
from apps.kernel.errors import Refusal
from apps.llm.cleaning import in_one_line
from apps.simulation.commands.command_log import refuse_absent
from apps.world.errors import UnknownPerson
from apps.world.tree import Kind
from apps.world.world import World

DOING_CHARACTERS_MAX = 200


class UnusableAction(Refusal):
    """Nobody can do this."""

    code: ClassVar[str] = "unusable-action"


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """Walk to the node of the path `to` (an area or an object), or to the tile."""

    to: str = ""
    tile: Tile | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Say the text to somebody; "" is whom the person talks with or was spoken to by."""

    text: str
    to: str = ""
    ends: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """Use the object of the path; `doing` follows "<name> is"."""

    object: str
    doing: str
    minutes: int


def move_to(world: World, words: str) -> Move:
    """Return the walk to what the words name: a place, an area, or an object.

    :raises UnknownPlace: if nothing has that name.
    :raises AmbiguousPlace: if several have.
    :raises UnusableAction: if one cannot stand there.
    """
    node = world.tree.resolve(words)
    if node.kind is Kind.OBJECT:
        is_to_be_had = bool(world.map.use_tiles(node.path))
    else:
        below = world.tree.children(node.path) if node.kind is Kind.PLACE else (node,)
        node = next((one for one in below if world.map.standing_tiles(one.path)), node)
        is_to_be_had = node.kind is Kind.AREA and bool(world.map.standing_tiles(node.path))
    if not is_to_be_had:
        raise UnusableAction(
            f"one cannot walk to {words!r}; name a place, an area or an object"
        )
    return Move(to=node.path)


def walk_to(world: World, tile: Tile) -> Move:
    """Return the walk to the tile.

    :raises UnusableAction: if one cannot stand there, or not get there.
    """
    if not world.map.is_walkable(tile):
        raise UnusableAction(f"one cannot stand on the tile {tile}; look at …/world/map")
    return Move(tile=tile)


def say(simulation_id: UUID, text: str, *, to: str, ends: bool) -> Words:
    """Return the words, cleaned of what cannot be said.

    :raises UnusableAction: if there are none, or more than are said in one breath.
    :raises UnknownPerson: if nobody in town has the slug.
    """
    said = in_one_line(text)
    if not 0 < len(said.split()) <= UTTERANCE_WORDS_MAX or len(said) > UTTERANCE_CHARACTERS_MAX:
        raise UnusableAction(
            f"say 1 to {UTTERANCE_WORDS_MAX} words, of {UTTERANCE_CHARACTERS_MAX} characters "
            "at most, at a time"
        )
    if to:
        try:
            refuse_absent(simulation_id, to)
        except AgentUnknown as unknown:
            raise UnknownPerson(unknown.message, unknown.near) from None
    return Words(text=said, to=to, ends=ends)


def use(world: World, words: str, *, doing: str, minutes: int) -> Deed:
    """Return the use of the object that the words name; `doing` follows "<name> is".

    :raises UnknownPlace: if nothing has that name.
    :raises AmbiguousPlace: if several have.
    :raises UnusableAction: if it is no object that can be used, or nothing is said to be done.
    """
    node = world.tree.resolve(words)
    if node.kind is not Kind.OBJECT or not world.map.use_tiles(node.path):
        raise UnusableAction(f"{node.path} cannot be used; name an object in it")
    done = in_one_line(doing)
    if not 0 < len(done) <= DOING_CHARACTERS_MAX:
        raise UnusableAction(
            f'say what is done in 1 to {DOING_CHARACTERS_MAX} characters, as follows "is": '
            '"making coffee"'
        )
    return Deed(object=node.path, doing=done, minutes=minutes)


def body_of(action: Move | Words | Deed) -> dict[str, Any]:
    """Return the action as its command keeps it."""
    match action:
        case Move():
            return {"move": {"to": action.to, "tile": action.tile}}
        case Words():
            return {"say": {"text": action.text, "to": action.to, "ends": action.ends}}
        case Deed():
            deed = {
                "object": action.object,
                "doing": action.doing,
                "minutes": action.minutes,
            }
            return {"act": deed}
