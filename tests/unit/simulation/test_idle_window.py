"""Ticks that are passed over hold nothing new: held against looking at every one of them."""

import random
from datetime import datetime
from uuid import UUID

import pytest

from apps.agents.queries import Seen
from apps.agents.track import Action, Movement, Track
from apps.kernel.game_time import FOREVER_TICK, GameCalendar
from apps.simulation.engine.idle_window import IdleWindow, idle_window_after
from apps.simulation.engine.schedule_state import lookahead_of
from apps.simulation.ports import Constants
from apps.simulation.settings import SimulationSettings
from apps.simulation.snapshot.perception import Acquainted, news_for
from apps.simulation.snapshot.world_snapshot import WorldSnapshot
from apps.world.tile_map import Tile
from tests.support.builders import standing, tracked_action
from tests.support.worlds import smallville

WORLD = smallville()
CONSTANTS = Constants(
    simulation_id=UUID(int=1),
    world=WORLD,
    seed=7,
    calendar=GameCalendar(start=datetime(2023, 2, 13), tick_seconds=10),
    settings=SimulationSettings(vision=4, attention_bandwidth=1_000, retention_hours=0.1),
)
GATE = lookahead_of(CONSTANTS)
WATCHER, OTHERS = "ada", ("ben", "cem", "dov", "eve")
LEFT, TOP, SIDE, CENTRE = 8, 44, 40, (28, 64)  # a meadow
TICKS, NOW = 160, 60


def action(from_tick: int, *, asleep: bool = False, until: int = FOREVER_TICK) -> Action:
    doing = f"busy since {from_tick}"
    return tracked_action(doing, from_tick=from_tick, until_tick=until, asleep=asleep)


def life(agent: str, chance: random.Random) -> Track:
    """Return a life of standing about and of walks, begun at any moment."""
    tile, tick = anywhere(chance), 0
    movements, actions = [Movement(from_tick=0, steps=(tile,))], [action(0)]
    while tick < TICKS:
        tick += chance.randint(1, 40)
        tile = movements[-1].tile_at(tick - 1) or tile
        goal = chance.choice([tile, CENTRE, CENTRE, anywhere(chance)])
        steps = way(tile, goal)[: chance.randint(1, 30)]
        movements.append(Movement(from_tick=tick, steps=tuple(steps) or (tile,)))
        actions.append(action(tick))
    return Track(agent=agent, name=agent.title(), movements=movements, actions=actions)


def anywhere(chance: random.Random) -> Tile:
    """Return a tile of the meadow."""
    return (LEFT + chance.randrange(SIDE), TOP + chance.randrange(SIDE))


def way(tile: Tile, goal: Tile) -> list[Tile]:
    """Return the steps of the straight way."""
    steps = []
    while tile != goal:
        tile = (tile[0] + _towards(tile[0], goal[0]), tile[1] + _towards(tile[1], goal[1]))
        steps.append(tile)
    return steps


def _towards(here: int, there: int) -> int:
    return (there > here) - (there < here)


def known_of(track: Track, clock: int) -> Track:
    """Return the track as the rows have it when its agent has come to the clock."""
    return Track(
        agent=track.agent,
        name=track.name,
        movements=[one for one in track.movements if one.from_tick < clock],
        actions=[one for one in track.actions if one.from_tick < clock],
    )


def snapshot_of(*tracks: Track) -> WorldSnapshot:
    snapshot = WorldSnapshot(world=WORLD, seed=7)
    snapshot.replace_tracks(tracks)
    return snapshot


def all_noticed(snapshot: WorldSnapshot, tick: int) -> Acquainted:
    """Return the acquaintance of an agent that has just noticed all that is in view."""
    known = Acquainted(agents={}, objects={})
    for seen in news_for(snapshot, WATCHER, tick, known=known, attention=CONSTANTS.attention):
        of_kind = known.objects if seen.sight.is_object else known.agents
        of_kind[seen.sight.subject] = Seen(description=seen.sight.description, tick=tick - 20)
    return known


def clock_behind(tile: Tile, track: Track, chance: random.Random) -> int:
    """Return a clock at which the policy lets the watcher take the tick NOW all the same."""
    clocks = [
        clock
        for clock in range(NOW - 30, NOW + 1)
        if clock + GATE.ticks_ahead(tile, track.tile_at(clock - 1)) >= NOW
    ]
    return chance.choice(clocks)


def ends_by(tile: Tile, track: Track) -> int:
    """Return the tick in which a watcher on the tile is checked since an agent acts near it."""
    for tick in range(NOW, TICKS):
        acts = track.next_start(tick - 1) == tick or track.walks_after(tick - 1)
        if acts and GATE.ticks_ahead(tile, track.tile_at(tick)) == 0:
            return tick + 1
    return TICKS


class TestQuietAfter:
    @pytest.mark.parametrize("seed", range(200))
    def test_passes_over_nothing_that_is_new(self, seed: int) -> None:
        chance = random.Random(seed)
        tile = (CENTRE[0] + chance.randint(-5, 5), CENTRE[1] + chance.randint(-5, 5))
        watcher = standing(WATCHER, tile, action(0))
        lives = [life(other, chance) for other in OTHERS]
        clocks = {track.agent: clock_behind(tile, track, chance) for track in lives}
        as_known = [known_of(track, clocks[track.agent]) for track in lives]
        happens = snapshot_of(watcher, *lives)
        acquainted = all_noticed(happens, NOW - 1)

        idle = idle_window_after(
            CONSTANTS,
            snapshot_of(watcher, *as_known),
            WATCHER,
            NOW,
            acquainted=acquainted,
        )

        assert idle.until > NOW
        for tick in range(NOW + 1, min(idle.until, *(ends_by(tile, one) for one in lives))):
            news = news_for(
                happens, WATCHER, tick - 1, known=acquainted, attention=CONSTANTS.attention
            )
            assert news == []

    def test_of_an_agent_alone_lasts_as_long_as_its_action(self) -> None:
        alone = snapshot_of(standing(WATCHER, CENTRE, action(0, until=900)))
        assert self.after(alone) == IdleWindow(900)

    def test_is_not_bounded_by_a_distant_agent(self) -> None:
        # Ben ends the window when he has come near.
        far = CONSTANTS.settings.vision + CONSTANTS.reach + 1
        ben = standing("ben", (CENTRE[0] + far, CENTRE[1]), action(0, until=70))
        watcher = standing(WATCHER, CENTRE, action(0, until=900))
        assert self.after(snapshot_of(watcher, ben)) == IdleWindow(900)

    def test_lasts_until_what_has_not_changed_is_news_again(self) -> None:
        ben = standing("ben", (CENTRE[0] + 1, CENTRE[1]), action(0))
        watcher = standing(WATCHER, CENTRE, action(0))
        seen = {"ben": Seen(description="Ben is busy since 0", tick=NOW - 20)}
        anew = NOW - 20 + CONSTANTS.attention.retention_ticks
        idle = self.after(snapshot_of(watcher, ben), agents=seen)
        assert idle == IdleWindow(anew + 1)

    @pytest.mark.parametrize("asleep", [False, True])
    def test_ends_when_a_user_calls(self, asleep: bool) -> None:
        snapshot = snapshot_of(standing(WATCHER, CENTRE, action(0, asleep=asleep, until=900)))
        idle = idle_window_after(
            CONSTANTS,
            snapshot,
            WATCHER,
            NOW,
            acquainted=Acquainted(agents={}, objects={}),
            requested=[NOW + 7],
        )
        assert idle == IdleWindow(NOW + 7, ends_by_others=not asleep)

    def test_lasts_as_long_as_a_sleep(self) -> None:
        nearby = life("ben", random.Random(1))
        asleep = standing(WATCHER, CENTRE, action(0, asleep=True, until=900))
        assert self.after(snapshot_of(asleep, nearby)) == IdleWindow(900, ends_by_others=False)

    @pytest.mark.parametrize("asleep", [False, True])
    def test_ends_when_a_user_tells_something(self, asleep: bool) -> None:
        alone = snapshot_of(standing(WATCHER, CENTRE, action(0, asleep=asleep, until=900)))
        for told, until in (((NOW + 40, NOW + 90), NOW + 40), ((NOW - 5,), 900)):
            idle = idle_window_after(
                CONSTANTS,
                alone,
                WATCHER,
                NOW,
                acquainted=Acquainted(agents={}, objects={}),
                requested=told,
            )
            assert idle == IdleWindow(until, ends_by_others=not asleep)

    def test_of_a_walking_agent_ends_at_once(self) -> None:
        walk = Movement(from_tick=NOW - 1, steps=(CENTRE, (28, 65)))
        doing = action(NOW - 1, until=900)
        walking = Track(agent=WATCHER, name="Ada", movements=[walk], actions=[doing])
        assert self.after(snapshot_of(walking)).until == NOW + 1

    def test_ends_when_the_place_closes(self) -> None:
        cafe = WORLD.map.area_tiles("Hobbs Cafe: cafe")[0]
        late = CONSTANTS.calendar.tick_at(datetime(2023, 2, 13, 19))
        snapshot = snapshot_of(standing(WATCHER, cafe, action(0, until=late + 9_000)))
        closing = CONSTANTS.calendar.tick_at(datetime(2023, 2, 13, 20))
        assert self.after(snapshot, late).until == closing

    @staticmethod
    def after(
        snapshot: WorldSnapshot,
        tick: int = NOW,
        *,
        agents: dict[str, Seen] | None = None,
    ) -> IdleWindow:
        return idle_window_after(
            CONSTANTS,
            snapshot,
            WATCHER,
            tick,
            acquainted=Acquainted(agents=agents or {}, objects={}),
        )
