#!/usr/bin/env python3
"""Asks over HTTP what if Isabella had not invited anyone, and tells who differs and why.

    .venv/bin/python docs/how_to/what_if.py http://127.0.0.1:8000 --token TOKEN

needs nothing but Python. It creates a simulation and runs it, unless `--simulation` names one.
"""

import argparse
import os
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Any

from town_client import Late, Refused, Service, Unreachable

AGENTS = (
    "Isabella Rodriguez", "Maria Lopez", "Klaus Mueller", "Ayesha Khan", "Tom Moreno",
    "Wolfgang Schulz", "Abigail Chen", "Latoya Williams",
)  # fmt: skip
ISABELLA = "isabella-rodriguez"
VOICE = (
    "You are too tired to give a Valentine's Day party. Cancel it and tell everyone that there "
    "is no party"
)
SEED = 7
POLL_SECONDS = 2.0
CHAINS_SHOWN = 25


def tell(text: str = "") -> None:
    """Write a line at once."""
    print(text, flush=True)


def moment(clock: Mapping[str, Any]) -> str:
    """Return the day and the time of a clock."""
    return str(clock["time"]).replace("T", " ")


class Question:
    """The question to one simulation: what if Isabella had heard this voice at that time?"""

    def __init__(self, service: Service, asked: argparse.Namespace) -> None:
        """Take a simulation that has come to the end, or create one and run it."""
        self.service = service
        self.body = {
            "at": asked.at,
            "until": asked.until,
            "name": "Without a party",
            "interventions": [{"kind": "inner-voice", "agent": ISABELLA, "text": VOICE}],
            "reason": "What if Isabella had not invited anyone?",
        }
        self.seconds_max = asked.seconds
        self.path = f"/simulations/{asked.simulation or self._lived(asked)}"

    def _lived(self, asked: argparse.Namespace) -> str:
        body = {"name": "As it was", "seed": SEED, "agents": asked.agents or AGENTS}
        created: str = self.service.post("/simulations", body)["id"]
        self.service.post(f"/simulations/{created}/run", {"until": asked.until})
        shown = self._wait(f"/simulations/{created}", lambda shown: shown["status"] == "paused")
        tell(f"simulation {created}, seed {shown['seed']}: as it was until {asked.until}")
        return created

    def _wait(self, path: str, is_over: Any) -> dict[str, Any]:
        """Return a document once something holds for it.

        :raises Late: if that takes too long.
        """
        ends_at = time.monotonic() + self.seconds_max
        while time.monotonic() < ends_at:
            shown: dict[str, Any] = self.service.get(path)
            if is_over(shown):
                return shown
            time.sleep(POLL_SECONDS)
        raise Late

    def estimate(self) -> None:
        """Tell what the answer will cost."""
        tell("\nWhat will it cost?")
        path = f"{self.path}/counterfactuals/estimate"
        shown = self.service.post(path, {k: v for k, v in self.body.items() if k != "name"})
        for one in shown["agents"]:
            tell(f"  {one['agent']} can be reached from {moment(one['clock'])} on")
        tell(f"  not reached: {', '.join(shown['unreached']) or 'nobody'}")
        for kind in ("new", "reused"):
            tell(f"  {kind} calls: {shown[kind]['calls']}")

    def ask(self) -> dict[str, Any]:
        """Run the branch, and wait until the two are compared."""
        tell("\nWhat if?")
        tell(f"  at {self.body['at']} a voice says to {ISABELLA}: {VOICE}")
        asked = self.service.post(f"{self.path}/counterfactuals", self.body)
        shown = self._wait(
            asked["status_url"], lambda shown: shown["state"] in {"compared", "failed"}
        )
        if shown["state"] == "failed":
            raise Refused(200, shown["problem"])
        calls = shown["calls"]
        tell(
            f"  the branch made {calls['paid'] + calls['reused']} calls after the fork, "
            f"{calls['same']} of them as in the simulation"
        )
        return shown

    def tell_differences(self, answered: Mapping[str, Any]) -> None:
        """Tell who differs through which chain, and what each knows, plans and does."""
        compared = self.service.get(f"{answered['comparison_url']}&about=party")
        tell("\nWho differs, and why?")
        tell(f"  the same until {moment(compared['common_until'])}")
        for one in compared["agents"][:CHAINS_SHOWN]:
            tell(f"  {one['agent']}:")
            for link in one["chain"]:
                tell(f"    {_link(link)}")
        tell("\nWho remembers a party?")
        for which, name in (("one", "as it was"), ("other", "without")):
            tell(f"  {name}: {', '.join(compared['knowing'][which]) or 'nobody'}")
        tell("\nWhat is left at the end?")
        for one in compared["agents"]:
            tell(f"  {one['agent']}:")
            self._tell_sides(one)
        tell("\nMeasures, as it was and without")
        for name, value in compared["measures"]["one"].items():
            tell(f"  {name}: {_number(value)}, {_number(compared['measures']['other'][name])}")

    def _tell_sides(self, one: Mapping[str, Any]) -> None:
        for which, sign in (("one", "-"), ("other", "+")):
            only = one[f"only_{which}"]
            for hour in only["hours"]:
                tell(f"    plan {sign} {moment(hour['clock'])} {hour['description']}")
            for memory in only["memories"]:
                tell(f"    memory {sign} {memory}")


def _link(link: Mapping[str, Any]) -> str:
    """Return a link of a chain: when, which event in each history, and what it names."""
    types = [
        "nothing" if version is None else version["type"]
        for version in (link["one"], link["other"])
    ]
    named = f", which names {link['named']}" if link["named"] else ""
    return f"{moment(link['clock'])} {link['event']}: {types[0]} / {types[1]}{named}"


def _number(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:.2f}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask the question; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("address", help="as in http://127.0.0.1:8000")
    parser.add_argument("--token", default=os.environ.get("SMALLVILLE_TOKEN", ""))
    parser.add_argument("--simulation", default="", help="one that has come to the end")
    parser.add_argument("--agents", nargs="+", help="names of agents, Isabella among them")
    parser.add_argument("--at", default="2023-02-13T08:00:00", help="when the voice is heard")
    parser.add_argument("--until", default="2023-02-15T00:00:00", help="the end")
    parser.add_argument("--seconds", type=float, default=7_200.0, help="the longest wait")
    asked = parser.parse_args(arguments)
    if not asked.token:
        parser.error("give --token, or set SMALLVILLE_TOKEN")
    try:
        question = Question(Service(asked.address, asked.token), asked)
        question.estimate()
        question.tell_differences(question.ask())
    except (Refused, Unreachable) as trouble:
        print(f"There is no answer: {trouble}", file=sys.stderr)
        return 1
    except Late:
        print("There is no answer yet: the service takes too long", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
