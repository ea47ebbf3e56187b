"""What every scene needs: a town of four, its hours, its people's words."""

from collections.abc import Iterable
from typing import Any

from town_client import Service, Stream

DAY = "2023-02-13"
PEOPLE = ("Isabella Rodriguez", "John Lin", "Mei Lin", "Eddy Lin")
SEED = 7
SETTINGS = {"users_patience_minutes": 120}
"""At 600 game seconds a second two hours are twelve seconds: so long people wait for words."""
RUN_SECONDS_MAX = 300.0


class SceneMissing(Exception):
    """A scene did not happen as it should; the message says what is missing."""


def tell(text: str = "") -> None:
    """Write a line, at once, so that whoever reads along need not wait."""
    print(text, flush=True)


def need(happened: object, missing: str) -> None:
    """Go on only if it happened.

    :raises SceneMissing: with what is missing, if it did not.
    """
    if not happened:
        raise SceneMissing(missing)


def moment(clock: str) -> str:
    """Return the game time of a clock on the first day: "06:34"."""
    return f"{DAY}T{clock}:00"


def at(time: str) -> str:
    """Return the clock of a game time: "06:34:20", "06:34" where it is a whole minute."""
    return time[11:19] if time[17:19] != "00" else time[11:16]


class Stage:
    """A town of four on its first morning, and what every scene needs of it."""

    def __init__(self, service: Service, simulation: str) -> None:
        """Play in a simulation, founded if none is named."""
        self.service = service
        self.id = simulation or self._found()
        self.town = f"/simulations/{self.id}"
        self._look_at_town()

    def _found(self) -> str:
        body = {"name": "Scenes", "seed": SEED, "agents": PEOPLE, "settings": SETTINGS}
        founded: str = self.service.post("/simulations", body)["id"]
        return founded

    def _look_at_town(self) -> None:
        town = self.service.get(self.town)
        living = {agent["name"] for agent in self.service.everything(f"{self.town}/agents")}
        need(living >= set(PEOPLE), f"the scenes need {', '.join(PEOPLE)} in town")
        early = town["clock"]["time"] <= moment("06:34")
        need(
            early and town["status"] == "paused",
            "the scenes need a paused town before 6:34 on its first day; leave out "
            "--simulation, and one is founded",
        )
        tell(f"simulation {self.id}, seed {town['seed']}: {', '.join(sorted(living))}")

    def run_until(self, clock: str) -> None:
        """Let the town live to a clock as fast as it can, and wait until it rests."""
        # One type that does not happen any more: only notices are of interest here.
        stream = Stream(self.service, self.id, "simulation.created.v1")
        self.service.post(f"{self.town}/run", {"until": moment(clock), "pace": None})
        for _name, _data in stream.wait_for(
            "status", "clock", "heartbeat", seconds=RUN_SECONDS_MAX
        ):
            town = self.service.get(self.town)
            if town["status"] != "running":
                break
        need(
            town["clock"]["time"] == moment(clock),
            f"the town stopped at {at(town['clock']['time'])}: {town['reason']}",
        )

    def command(self, path: str, body: dict[str, Any]) -> str:
        """Ask for something; return where to look for what has become of it."""
        asked: str = self.service.post(f"{self.town}/{path}", body)["status_url"]
        return asked

    def hours(self, agent: str) -> list[str]:
        """Return the hours of the person's plan for today, as lines."""
        outline = self.service.get(f"{self.town}/agents/{agent}/plan", day=DAY)["outline"]
        return [
            f"{at(hour['start_at'])} {hour['description']} ({hour['place']})"
            for chunk in outline
            for hour in chunk["hours"]
        ]

    def ask(self, agent: str, question: str, persona: str = "a reporter") -> dict[str, Any]:
        """Interview somebody; they do not remember it."""
        body = {"question": question, "persona": persona}
        interview = self.service.post(f"{self.town}/agents/{agent}/interviews", body)
        need(interview["answer"], f"{agent} gave no answer to {question!r}")
        tell(f"  {persona}: {question}")
        tell(f"  {agent}: {interview['answer']}")
        answered: dict[str, Any] = interview
        return answered

    def words(self, agent: str, others: Iterable[str]) -> list[dict[str, Any]]:
        """Return the conversations of somebody with any of the others, in full."""
        talks = self.service.everything(f"{self.town}/conversations", agent=agent)
        return [
            self.service.get(f"{self.town}/conversations/{talk['id']}")
            for talk in talks
            if set(others) & set(talk["participants"])
        ]

    def tell_talk(self, talk: dict[str, Any]) -> None:
        """Tell a conversation word by word."""
        tell(f"  {at(talk['start_at'])} {' and '.join(talk['participants'])} talk:")
        for said in talk["utterances"]:
            tell(f"    {said['agent']}: {said['text']}")

    def tell_change(self, before: list[str], after: list[str]) -> None:
        """Tell what has changed in a plan, and refuse one that is the same."""
        gone = [line for line in before if line not in after]
        new = [line for line in after if line not in before]
        need(new, "the plan of the day is the same as before")
        for sign, lines in (("-", gone), ("+", new)):
            for line in lines:
                tell(f"  plan {sign} {line}")
