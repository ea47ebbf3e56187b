"""Lets a town run at its pace while many follow it and others read: delays, and nothing lost.

    .venv/bin/python -m benchmarks.stream [--clients 200] [--reads 50] [--seconds 120]
        [--agents 25] [--pace 60] [--threads 8] [--web 1]

Real web processes and a worker serve a town from 6:55 on. Of the clients a quarter follow one
person only, a quarter hang up every five to fifteen seconds and come back with their last id,
and one in ten begins at the beginning. In the end every client's events are held against the
log: none may be missing, twice, or out of order; the exit status is 1 if one is, or if one was
ended.
"""

import argparse
import asyncio
import json
import random
import sys
import tempfile
import threading
import time
from bisect import bisect_left
from pathlib import Path
from typing import Any

from benchmarks.setting import prepare

prepare()

import psycopg  # noqa: E402 (Django has to be set up first)
from django.contrib.auth.models import User  # noqa: E402
from django.db import connection  # noqa: E402

from apps.access.commands import issue_token  # noqa: E402
from apps.agents import queries as agent_queries  # noqa: E402
from apps.eventlog.store import events_of  # noqa: E402
from apps.simulation import queries  # noqa: E402
from apps.simulation.engine import lifecycle  # noqa: E402
from apps.simulation.models import SimulationRow, Status  # noqa: E402
from apps.simulation.notifications import FOLLOWERS_CHANNEL  # noqa: E402
from apps.wiring import ports  # noqa: E402
from benchmarks.stream_clients import Client, Reads, read_on  # noqa: E402
from tests.support.processes import database_url, wait_until  # noqa: E402
from tests.support.serving import Service, served  # noqa: E402
from tests.support.towns import EIGHT_THREADS, live  # noqa: E402

MORNING = "2023-02-13T06:55"
AWAY_EVERY_SECONDS = 10.0
RESTS_SECONDS = 60.0
WARM_UP_TICKS = 12


class CommitTimes:
    """When each tick was committed, as a listener of its own hears it."""

    def __init__(self, row: SimulationRow) -> None:
        """Begin to listen."""
        self._row = row
        self._ticks = [row.committed_tick]
        self._at = [time.time()]
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def at(self, tick: int) -> float | None:
        """Return when the tick was first heard to be committed."""
        found = bisect_left(self._ticks, tick)
        return self._at[found] if 0 < found < len(self._ticks) else None

    def stop(self) -> None:
        """Stop listening."""
        self._over.set()
        self._thread.join()

    def _listen(self) -> None:
        with psycopg.connect(database_url(), autocommit=True) as listening:
            listening.execute(f"LISTEN {FOLLOWERS_CHANNEL}")
            while not self._over.is_set():
                # The connection is the generator's own while it runs.
                if list(listening.notifies(timeout=0.5, stop_after=1)):
                    heard = time.time()
                    found = listening.execute(
                        "SELECT committed_tick FROM simulation_simulationrow WHERE id = %s",
                        [self._row.pk],
                    ).fetchone()
                    if found and found[0] > self._ticks[-1]:
                        self._ticks.append(found[0])
                        self._at.append(heard)


def main() -> None:
    """Run the town and its followers, and print what was measured as JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--reads", type=float, default=50.0, help="requests a second")
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--agents", type=int, default=25)
    parser.add_argument("--pace", type=float, default=60.0, help="game seconds a second")
    parser.add_argument("--threads", type=int, default=8, help="of the worker")
    parser.add_argument("--web", type=int, default=1, help="web processes")
    asked = parser.parse_args()
    owner, _ = User.objects.get_or_create(username="benchmark")
    token = issue_token(owner, "benchmark")
    founding = lifecycle.SimulationSpec(
        name="benchmark", world="smallville", seed=7, agents=asked.agents
    )
    row = lifecycle.create_simulation(ports(), founding, owner_id=owner.pk)
    live(row, MORNING, EIGHT_THREADS)
    try:
        with tempfile.TemporaryDirectory() as folder:
            limits = {
                "STREAMS_PER_USER_MAX": str(asked.clients + 10),
                "STREAMS_MAX": str(asked.clients + 10),
                "REQUEST_RATE_MAX": "",
                "WEB_CONCURRENCY": str(asked.web),
            }
            with served(Path(folder), token, **limits) as service:
                found = measure(service, row, asked)
    finally:
        wait_until(
            lambda: delete(row), seconds=RESTS_SECONDS, told=lambda: "it never comes to rest"
        )
    print(json.dumps(found, indent=2))
    sys.exit(
        bool(found["clients with events missing, twice or out of order"] or found["ended"])
    )


def measure(service: Service, row: SimulationRow, asked: argparse.Namespace) -> dict[str, Any]:
    """Return what was measured while the town ran."""
    town = f"/api/v1/simulations/{row.pk}"
    service.processes.start_worker("worker", threads=asked.threads)
    service.processes.start_scheduler()
    # What is measured begins once a worker is up and has executed some turns.
    service.ask("POST", f"{town}/run", {"ticks": WARM_UP_TICKS})
    wait_for_rest(row)
    begun_tick = row.committed_tick
    clients = clients_of(service, row, asked.clients)
    commit_times = CommitTimes(row)
    lags: list[float] = []
    paths = [f"{town}{path}" for path in paths_of(row)]
    reads = asyncio.run(follow(service, row, clients, asked, paths, lags))
    commit_times.stop()
    _, rested = service.ask("GET", town)
    row.refresh_from_db()
    log = [
        f"{e.tick}/{e.stream}/{e.ordinal}"
        for e in events_of(row.pk, until_tick=row.committed_tick)
    ]
    delays = [
        1_000 * max(0.0, heard - at)
        for client in clients
        if not client.away_every_seconds
        for event, heard in zip(client.ids, client.heard_at, strict=True)
        if (at := commit_times.at(int(event.partition("/")[0]))) is not None
    ]
    wrong = [client for client in clients if client.ids != expected(client, log, begun_tick)]
    return {
        "agents": asked.agents,
        "web processes": asked.web,
        "clients": asked.clients,
        "streams opened": sum(client.opened for client in clients),
        "events told": sum(len(client.ids) for client in clients),
        "events of the run": sum(int(e.partition("/")[0]) > begun_tick for e in log),
        "clients with events missing, twice or out of order": len(wrong),
        "ended": sorted({end for client in clients for end in client.ends}),
        "delay from committed to received, ms": percentiles(delays),
        "reads": len(reads.milliseconds),
        "reads refused": reads.refused,
        "reads, ms": percentiles(reads.milliseconds),
        "ticks lived": row.committed_tick - begun_tick,
        "ticks due by the pace": round(asked.seconds * asked.pace / 10),
        "game seconds behind its pace, worst": max(lags, default=0.0),
        "came to rest": rested["reason"],
    }


def clients_of(service: Service, row: SimulationRow, count: int) -> list[Client]:
    """Return clients of every sort."""
    agents = agent_queries.slugs_in_simulation(row.pk)
    path = f"/api/v1/simulations/{row.pk}/stream"
    chance = random.Random(7)
    clients = []
    for number in range(count):
        query = {"agent": agents[number % len(agents)]} if number % 4 == 1 else {}
        if number % 10 == 0:
            query["after"] = "beginning"
        # Not all of them at the same moment.
        away = AWAY_EVERY_SECONDS * chance.uniform(0.5, 1.5) if number % 4 == 2 else 0.0
        clients.append(
            Client(service.port, service.token, path, query, away_every_seconds=away)
        )
    return clients


def expected(client: Client, log: list[str], begun_tick: int) -> list[str]:
    """Return what the client should have been told."""
    wanted = []
    for event in log:
        tick, stream, _ = event.split("/")
        is_new = "after" in client.query or int(tick) > begun_tick
        if is_new and client.query.get("agent", stream) == stream:
            wanted.append(event)
    return wanted


async def follow(
    service: Service,
    row: SimulationRow,
    clients: list[Client],
    asked: argparse.Namespace,
    paths: list[str],
    lags: list[float],
) -> Reads:
    """Let all of them follow while the town runs, until it rests and all has been told."""
    reads_over = asyncio.Event()
    following = [asyncio.create_task(client.follow()) for client in clients]
    while not all(client.last_id for client in clients):
        await asyncio.sleep(0.1)
    town = f"/api/v1/simulations/{row.pk}"
    for path in paths:
        # What is read for the first time of all is read slowly: the world's files, for one.
        await asyncio.to_thread(service.ask, "GET", path)
    await asyncio.to_thread(service.ask, "POST", f"{town}/run", {"pace": asked.pace})
    reading = asyncio.create_task(
        read_on(
            service.port,
            service.token,
            paths,
            a_second=asked.reads,
            over=reads_over,
        )
    )
    ends_at = time.monotonic() + asked.seconds
    while time.monotonic() < ends_at:
        await asyncio.sleep(1.0)
        _, shown = await asyncio.to_thread(service.ask, "GET", town)
        lags.append(shown["lag_seconds"])
    reads_over.set()
    found = await reading
    await asyncio.to_thread(service.ask, "POST", f"{town}/pause")
    await asyncio.to_thread(wait_for_rest, row)
    last = await asyncio.to_thread(last_of, row)
    patience = time.monotonic() + RESTS_SECONDS
    # The clock's id is the last place of all, whatever a client wants to be told.
    while time.monotonic() < patience and any(client.last_id != last for client in clients):
        await asyncio.sleep(0.2)
    for task in following:
        task.cancel()
    for outcome in await asyncio.gather(*following, return_exceptions=True):
        if isinstance(outcome, Exception):
            raise outcome
    return found


def paths_of(row: SimulationRow) -> list[str]:
    """Return a mix of what front-ends read."""
    agents = agent_queries.slugs_in_simulation(row.pk)[:5]
    each = [
        f"/agents/{person}/{what}"
        for person in agents
        for what in ("memories", "plan", "timeline")
    ]
    return ["", "/state", "/state", "/agents", "/conversations", "/events?limit=50", *each]


def wait_for_rest(row: SimulationRow) -> None:
    """Wait until the town rests."""

    def rests() -> bool:
        row.refresh_from_db()
        return row.status == Status.PAUSED

    try:
        wait_until(rests, seconds=RESTS_SECONDS, told=lambda: "it never comes to rest")
    finally:
        connection.close()


def last_of(row: SimulationRow) -> str:
    """Return the id of the last committed event."""
    try:
        committed_tick = queries.get_simulation(row.pk).committed_tick
        event = events_of(row.pk, until_tick=committed_tick).reverse().first()
        assert event is not None, "its founding is always there"
        return f"{event.tick}/{event.stream}/{event.ordinal}"
    finally:
        connection.close()


def delete(row: SimulationRow) -> bool:
    """Delete the town; whether it was at rest."""
    try:
        lifecycle.request_pause(row.pk)
        lifecycle.delete_simulation(ports(), row.pk)
    except lifecycle.StillRunning:
        return False
    return True


def percentiles(values: list[float]) -> dict[str, float]:
    """Return the median, and what 95 and 99 of a hundred stay below."""
    found = sorted(values)
    if not found:
        return {}
    return {
        name: round(found[min(len(found) - 1, int(len(found) * share))], 1)
        for name, share in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99))
    } | {"max": round(found[-1], 1)}


if __name__ == "__main__":
    main()
