"""A turn cannot read an agent or a node that the lookahead policy does not guarantee."""

from collections.abc import Callable
from datetime import datetime
from uuid import UUID

import pytest

from apps.dialogue.utterances import Talk, Voices
from apps.kernel.game_time import GameCalendar
from apps.simulation.ports import Constants
from apps.simulation.settings import SimulationSettings
from apps.simulation.snapshot.conversation_view import ConversationView
from apps.simulation.snapshot.local_view import LocalView, OutOfView
from apps.simulation.snapshot.utterance_view import UtteranceView
from apps.simulation.snapshot.view_reading import Views
from apps.simulation.snapshot.world_snapshot import WorldSnapshot
from apps.world.tile_map import Tile
from tests.support.builders import spoken_by, standing
from tests.support.worlds import two_rooms

WORLD = two_rooms()
VISION = 2
CONSTANTS = Constants(
    simulation_id=UUID(int=1),
    world=WORLD,
    seed=7,
    calendar=GameCalendar(start=datetime(2024, 6, 3), tick_seconds=10),
    settings=SimulationSettings(vision=VISION, words_per_minute=60),
)
KITCHEN = WORLD.map.area_tiles("Mill Cottage: kitchen")
HERE = KITCHEN[0]
NEAR = next(tile for tile in KITCHEN if tile[0] == HERE[0] + 1)
FAR = next(tile for tile in KITCHEN if tile[0] == HERE[0] + VISION + 1)
STOVE = "Mill Cottage: kitchen: stove"
DESK = "Mill Cottage: bedroom: desk"
TICK = 40
# Ten words take ten seconds, one tick.
WORDS = "word " * 10
TALK = Talk(agent="ada", conversation="39/ben", other="ben", from_tick=39, to_tick=None)
READS: dict[str, Callable[[Views], object]] = {
    "sleep": lambda views: views.local.is_asleep("ben"),
    "conversation": lambda views: views.conversations.talk_of("ben"),
    "end of a conversation": lambda views: views.conversations.has_left(
        TALK.other, TALK.conversation
    ),
    "presence": lambda views: views.local.require_in_view("ben"),
}


def views_of(ben: Tile) -> Views:
    """Return what Ada sees, to whom Ben on the tile has just finished an utterance."""
    said = spoken_by("ben", "ada", WORDS, tick=TICK - 1, conversation="39/ben")
    town = WorldSnapshot(world=WORLD, seed=7)
    town.replace_tracks([standing("ada", HERE), standing("ben", ben)])
    town.replace_voices(Voices(spoken=(said,), talks=()), of=["ben"])
    local = LocalView(CONSTANTS, town, "ada", tick=TICK)
    utterances = UtteranceView(local, town, {"39/ben": (said,)})
    conversations = ConversationView(local, town, utterances)
    return Views(local=local, utterances=utterances, conversations=conversations)


class TestLocalView:
    @pytest.mark.parametrize("read", READS)
    def test_refuses_to_read_an_agent_out_of_view(self, read: str) -> None:
        READS[read](views_of(NEAR))
        with pytest.raises(OutOfView):
            READS[read](views_of(FAR))

    def test_hears_a_speaker_in_view(self) -> None:
        utterances = views_of(NEAR).utterances
        assert [said.agent for said in utterances.heard()] == ["ben"]
        assert utterances.cut_off() == []

    def test_does_not_hear_a_speaker_who_is_out_of_view_at_the_end(self) -> None:
        utterances = views_of(FAR).utterances
        assert utterances.heard() == []
        assert [said.agent for said in utterances.cut_off()] == ["ben"]

    def test_refuses_to_read_a_node_out_of_view(self) -> None:
        view = views_of(NEAR).local
        assert view.occupants_of(STOVE) == ()
        assert not view.is_full(STOVE)
        for read in (view.occupants_of, view.is_full, view.set_state_of):
            with pytest.raises(OutOfView):
                read(DESK)
