"""A program as an integrator writes it: the client that was made from the schema, and a town.

Run as `python day_in_town.py ADDRESS TOKEN`, with the generated package on the path. It is also
checked by mypy together with that package: what it takes for granted here is promised there.
"""

import sys
import time
from collections.abc import Iterator
from http import HTTPStatus
from typing import TypeVar
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

from smallville_client import AuthenticatedClient
from smallville_client.api.agents import get_agent, give_inner_voice, interview_agent
from smallville_client.api.log import list_events
from smallville_client.api.minds import list_memories, retrieve_memories
from smallville_client.api.simulations import (
    create_simulation,
    delete_simulation,
    get_command,
    get_simulation,
    pause_simulation,
    run_simulation,
)
from smallville_client.api.town import get_map_image, get_state, get_world
from smallville_client.models import (
    CommandState,
    LoggedEvent,
    LoggedEventList,
    MemoryKind,
    PauseRequest,
    ProblemDocument,
    QuestionRequest,
    RetrievalRequest,
    RunRequest,
    Simulation,
    SimulationSpecRequest,
    SimulationStatus,
    ThoughtRequest,
    WorkState,
)
from smallville_client.types import UNSET, File, Unset

ISABELLA = "isabella-rodriguez"
TICKS = 2_190  # to five past six in the morning: she is up, and has planned her day
RESTS_SECONDS = 60.0
LOOKS_EVERY_SECONDS = 0.1
EVENTS_A_PAGE = 10

Answer = TypeVar("Answer")


def told(answer: Answer | ProblemDocument | None) -> Answer:
    """Return what was answered, which is no problem."""
    assert not isinstance(answer, ProblemDocument), answer
    assert answer is not None, "raise_on_unexpected_status leaves nothing unknown"
    return answer


def rested(client: AuthenticatedClient, town: UUID) -> Simulation:
    """Return the simulation as soon as it rests."""
    ends_at = time.monotonic() + RESTS_SECONDS
    while True:
        # Any stands for 304, which only who sends If-None-Match gets.
        now: Simulation = told(get_simulation.sync(town, client=client))
        if now.status is SimulationStatus.PAUSED:
            return now
        assert time.monotonic() < ends_at, now
        time.sleep(LOOKS_EVERY_SECONDS)


def events_of(client: AuthenticatedClient, town: UUID, agent: str) -> Iterator[LoggedEvent]:
    """Yield a person's events, page by page."""
    after: str | Unset = UNSET
    while True:
        page: LoggedEventList = told(
            list_events.sync(town, client=client, agent=agent, limit=EVENTS_A_PAGE, after=after)
        )
        yield from page.results
        if page.next_ is None:
            return
        [after] = parse_qs(urlsplit(page.next_).query)["after"]


def found_and_run(client: AuthenticatedClient) -> Simulation:
    """Found a town of two, and let it live until morning."""
    asked = SimulationSpecRequest(name="made by a client", seed=7, agents=2)
    founded = create_simulation.sync_detailed(client=client, body=asked)
    assert founded.status_code is HTTPStatus.CREATED
    town = told(founded.parsed)
    assert founded.headers["Location"].endswith(f"/simulations/{town.id}")
    assert founded.headers["X-Request-ID"]
    assert town.end_at is None
    assert town.budget is None

    running = told(run_simulation.sync(town.id, client=client, body=RunRequest(ticks=TICKS)))
    assert running.status is SimulationStatus.RUNNING
    now = rested(client, town.id)
    assert now.clock.tick == TICKS, now
    assert now.clock.time == "2023-02-13T06:05:00"
    return now


def look_around(client: AuthenticatedClient, town: UUID) -> None:
    """Read the town's state, its world, an image of its map, and a person."""
    state = told(get_state.sync(town, client=client))
    assert state.clock.tick == TICKS
    isabella = next(person for person in state.agents if person.slug == ISABELLA)
    detail = told(get_agent.sync(town, ISABELLA, client=client))
    assert detail.position is not None
    assert (detail.position.x, detail.position.y) == (isabella.position.x, isabella.position.y)
    assert detail.current_action is not None
    assert detail.current_action.description == isabella.action
    world = told(get_world.sync(town, client=client))
    assert any(place.name == "Hobbs Cafe" for place in world.children)
    assert world.children[0].children[0].norms.hours is None
    image = told(get_map_image.sync(town, "tileset.png", client=client))
    assert isinstance(image, File)
    assert image.payload.read(4) == b"\x89PNG"


def read_a_mind(client: AuthenticatedClient, town: UUID) -> None:
    """Read memories and plans, and ask what comes to mind."""
    memories = told(list_memories.sync(town, ISABELLA, client=client, limit=500))
    assert {memory.kind for memory in memories.results} == {
        MemoryKind.OBSERVATION,
        MemoryKind.PLAN,
    }
    question = RetrievalRequest(query="the Valentine's Day party", limit=3)
    ranking = told(retrieve_memories.sync(town, ISABELLA, client=client, body=question))
    assert [memory.rank for memory in ranking.results] == [1, 2, 3]
    assert "party" in ranking.results[0].description
    assert 0.5 < ranking.results[0].parts.relevance.scaled <= 1


def read_the_log(client: AuthenticatedClient, town: UUID) -> None:
    """Read a person's events over several pages; none comes twice, none is left out."""
    events = list(events_of(client, town, ISABELLA))
    places = [(event.tick, event.ordinal) for event in events]
    assert len(events) > 2 * EVENTS_A_PAGE
    assert places == sorted(set(places))
    formed = next(event for event in events if event.type_ == "memory.formed.v1")
    assert isinstance(formed.data["description"], str)


def take_part(client: AuthenticatedClient, town: UUID) -> None:
    """Ask somebody something, and be her inner voice for once."""
    question = QuestionRequest(question="Is there a Valentine's Day party?")
    interview = told(interview_agent.sync(town, ISABELLA, client=client, body=question))
    assert interview.state is WorkState.DONE
    assert interview.answer is not None
    assert "party" in interview.answer
    assert interview.memories[0].rank == 1
    assert interview.command is None

    thought = ThoughtRequest(text="You are going to run for mayor", reason="to see who hears")
    asked = told(give_inner_voice.sync(town, ISABELLA, client=client, body=thought))
    assert asked.state is CommandState.PENDING
    told(run_simulation.sync(town, client=client, body=RunRequest(ticks=2)))
    rested(client, town)
    assert told(get_command.sync(town, asked.command, client=client)).state is CommandState.DONE


def be_refused(client: AuthenticatedClient, address: str, town: UUID) -> None:
    """Meet problems of several kinds, each as its type."""
    nobody = get_agent.sync(town, "nobody", client=client)
    assert isinstance(nobody, ProblemDocument)
    assert (nobody.status, nobody.code) == (404, "agent-unknown")
    asked = SimulationSpecRequest(name="made by a client", seed=-1)
    negative = create_simulation.sync(client=client, body=asked)
    assert isinstance(negative, ProblemDocument)
    assert negative.errors[0].pointer == "/seed"
    assert negative.errors[0].parameter is UNSET
    with AuthenticatedClient(address, "sv_wrong", raise_on_unexpected_status=True) as stranger:
        unknown = get_simulation.sync(town, client=stranger)
    assert isinstance(unknown, ProblemDocument)
    assert unknown.code == "token-invalid"


def pause_and_delete(client: AuthenticatedClient, town: UUID) -> None:
    """Let it run without end, pause it, and delete it."""
    told(run_simulation.sync(town, client=client, body=RunRequest(pace=1)))
    at_work = delete_simulation.sync(town, client=client)
    assert isinstance(at_work, ProblemDocument)
    assert at_work.code == "still-running"
    told(pause_simulation.sync(town, client=client, body=PauseRequest(reason="enough")))
    assert rested(client, town).reason == "enough"
    ends_at = time.monotonic() + RESTS_SECONDS
    # Its scheduler may hold the lease for a moment longer.
    while delete_simulation.sync_detailed(town, client=client).status_code != 204:
        assert time.monotonic() < ends_at
        time.sleep(LOOKS_EVERY_SECONDS)
    gone = get_simulation.sync(town, client=client)
    assert isinstance(gone, ProblemDocument)
    assert gone.code == "simulation-unknown"


def main(address: str, token: str) -> None:
    """Live through all of it."""
    with AuthenticatedClient(address, token, raise_on_unexpected_status=True) as client:
        town = found_and_run(client)
        look_around(client, town.id)
        read_a_mind(client, town.id)
        read_the_log(client, town.id)
        take_part(client, town.id)
        be_refused(client, address, town.id)
        pause_and_delete(client, town.id)


if __name__ == "__main__":
    main(*sys.argv[1:])
