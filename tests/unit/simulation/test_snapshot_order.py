"""What is read from the snapshot does not depend on the order in which it was filled."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

from hypothesis import given, settings
from hypothesis import strategies as st

from apps.agents.queries import Seen
from apps.agents.sharing import SetState, Use
from apps.agents.track import Track
from apps.dialogue.utterances import Spoken, Talk, Voices
from apps.kernel.game_time import GameCalendar
from apps.kernel.ordered import OrderedByKey
from apps.simulation.engine.agent_clocks import AgentClock, AgentClocks
from apps.simulation.engine.idle_window import idle_window_after
from apps.simulation.engine.ready_queue import ReadyQueue
from apps.simulation.engine.schedule_state import lookahead_of
from apps.simulation.ports import Constants
from apps.simulation.settings import SimulationSettings
from apps.simulation.snapshot.hearing import address_to_answer, said_in_full_at, utterance_ends
from apps.simulation.snapshot.perception import Acquainted, agents_in_view, news_for
from apps.simulation.snapshot.world_snapshot import UseSpan, WorldSnapshot
from apps.world.tree import NodeKind
from tests.support.builders import set_state, spoken_by, standing
from tests.support.worlds import two_rooms

WORLD = two_rooms()
CONSTANTS = Constants(
    simulation_id=UUID(int=1),
    world=WORLD,
    seed=7,
    calendar=GameCalendar(start=datetime(2024, 6, 3), tick_seconds=10),
    settings=SimulationSettings(vision=8, words_per_minute=60),
)
GATE = lookahead_of(CONSTANTS)
AGENTS = ("ada", "ben", "cem", "dov", "eve")
OBJECTS = tuple(node.path for node in WORLD.tree.objects)
TILES = WORLD.map.area_tiles("Mill Cottage: kitchen")
TICK = 40
Item = TypeVar("Item")


@dataclass
class Facts:
    """What the rows say, in one order of many."""

    tracks: list[Track]
    spans: list[UseSpan]
    spoken: list[Spoken]
    talks: list[Talk]
    states: list[SetState]


def facts(chance: random.Random) -> Facts:
    """Return what five agents in a kitchen do, use and say to one another at once."""
    return Facts(
        tracks=[standing(agent, chance.choice(TILES)) for agent in AGENTS],
        spans=[
            UseSpan(
                Use(
                    agent=agent,
                    node=node,
                    state=f"used by {agent}",
                    since_tick=tick,
                    from_tick=tick,
                ),
                None,
            )
            for agent in AGENTS
            for node in chance.sample(OBJECTS, 2)
            for tick in [chance.randint(TICK - 2, TICK)]
        ],
        spoken=[
            spoken_by(
                agent,
                chance.choice([other for other in AGENTS if other != agent]),
                "word " * chance.choice([10, 20]),
                tick=tick,
                conversation=f"{tick}/{agent}",
            )
            for agent in AGENTS
            for tick in chance.sample(range(TICK - 3, TICK + 1), 2)
        ],
        talks=[
            Talk(
                agent=agent,
                conversation=f"{tick}/{agent}",
                other=chance.choice(AGENTS),
                from_tick=tick,
                to_tick=None,
            )
            for agent in AGENTS
            for tick in (TICK - 9, TICK - 3)
        ],
        states=[
            set_state(path, f"in state {ordinal}", TICK - 5, ordinal=ordinal)
            for path in OBJECTS[:2]
            for ordinal in (8, 9, 10)
        ],
    )


def shuffled(items: Sequence[Item], chance: random.Random) -> list[Item]:
    return chance.sample(items, len(items))


def filled(known: Facts, chance: random.Random) -> WorldSnapshot:
    """Return a snapshot that took in the facts in a random order, agent by agent."""
    snapshot = WorldSnapshot(world=WORLD, seed=7)
    snapshot.replace_states(shuffled(known.states, chance))
    voices = Voices(
        spoken=tuple(shuffled(known.spoken, chance)), talks=tuple(shuffled(known.talks, chance))
    )
    tracks = {track.agent: track for track in known.tracks}
    for agent in (*shuffled(AGENTS, chance), *shuffled(AGENTS, chance)):  # again, as it lives
        spans = [span for span in known.spans if span.use.agent == agent]
        snapshot.replace_agent(agent, tracks[agent], shuffled(spans, chance))
        snapshot.replace_voices(voices, of=[agent])
    return snapshot


def answers(snapshot: WorldSnapshot) -> list[Any]:
    """Return all that turns and lookahead ask of a snapshot, iteration orders included."""
    found: list[Any] = [
        list(snapshot.tracks),
        list(snapshot.uses.items()),
        list(snapshot.spoken.items()),
        list(snapshot.talks.items()),
        list(snapshot.set_states.items()),
    ]
    for node in WORLD.tree.objects:
        found += [
            snapshot.occupants_of(node.path, TICK),
            snapshot.state_of(node.path, TICK),
            snapshot.set_state_of(node.path, TICK),
        ]
    for agent in AGENTS:
        known = Acquainted(agents={"ben": Seen(description="Ben is here", tick=1)}, objects={})
        heard = said_in_full_at(CONSTANTS, snapshot, agent, TICK)
        found += [
            [snapshot.is_full(path, TICK, for_agent=agent) for path in OBJECTS],
            snapshot.rooms_occupied_by(agent, TICK),
            snapshot.talk_of(agent, TICK),
            snapshot.spoken_to(agent),
            snapshot.lost_attempt(agent, TICK),
            list(utterance_ends(CONSTANTS, snapshot, agent)),
            heard,
            address_to_answer(CONSTANTS, heard),
            agents_in_view(snapshot, agent, TICK, vision=8),
            news_for(snapshot, agent, TICK, known=known, attention=CONSTANTS.attention),
            idle_window_after(
                CONSTANTS,
                snapshot,
                agent,
                TICK + 1,
                acquainted=known,
            ),
        ]
    return found


def due_turns(
    snapshot: WorldSnapshot, order: Sequence[str]
) -> tuple[list[Any], dict[str, int]]:
    """Return the turns that become ready in a schedule that knows its agents in an order."""
    agents = OrderedByKey(
        (
            agent,
            AgentClock(
                agent=agent,
                tick=TICK - 4 + AGENTS.index(agent),
                acquainted=Acquainted(agents={}, objects={}),
            ),
        )
        for agent in order
    )
    ready = list(ReadyQueue(CONSTANTS, GATE, AgentClocks(agents), snapshot).advance(TICK + 20))
    return ready, {agent: agent_clock.tick for agent, agent_clock in agents.items()}


ORDERS = settings(deadline=None, derandomize=True)


class TestSnapshot:
    @ORDERS
    @given(seed=st.integers(0, 2**32))
    def test_answers_alike_in_whatever_order_it_was_filled(self, seed: int) -> None:
        chance = random.Random(seed)
        known = facts(chance)
        first, second = filled(known, chance), filled(known, chance)
        assert answers(first) == answers(second)
        assert due_turns(first, shuffled(AGENTS, chance)) == due_turns(
            second, shuffled(AGENTS, chance)
        )

    def test_takes_the_last_of_the_states_set_in_one_tick(self) -> None:
        # "…/10" comes before "…/9" as text.
        snapshot = filled(facts(random.Random(1)), random.Random(1))
        state = snapshot.set_state_of(OBJECTS[0], TICK)
        assert state is not None
        assert state.state == "in state 10"

    def test_returns_utterances_by_tick_and_speaker(self) -> None:
        known = facts(random.Random(2))
        for agent in AGENTS:
            said = filled(known, random.Random(3)).spoken_to(agent)
            assert [(one.tick, one.agent) for one in said] == sorted(
                (one.tick, one.agent) for one in known.spoken if one.to == agent
            )

    def test_is_of_objects_that_can_be_seen(self) -> None:
        # Without objects in the kitchen the answers above would say little.
        kitchen = list(WORLD.tree.children("Mill Cottage: kitchen"))
        assert all(node.kind is NodeKind.OBJECT for node in kitchen)
        assert len(kitchen) > 2
