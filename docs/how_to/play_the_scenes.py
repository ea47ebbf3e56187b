#!/usr/bin/env python3
"""Plays scenes of the Generative Agents paper in a town of four, over HTTP, and tells them.

    .venv/bin/python docs/how_to/play_the_scenes.py http://127.0.0.1:8000 --token TOKEN

needs nothing but Python. A scene that does not happen ends it with a message and status 1.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterable
from typing import Any

from scene_stage import SceneMissing, Stage, at, need, tell
from town_client import Late, Refused, Service, Stream, Unreachable

ISABELLA, JOHN, ADA = "isabella-rodriguez", "john-lin", "ada-finch"
FAMILY = ("mei-lin", "eddy-lin")
STOVE = "Isabella's apartment: kitchen: stove"
VOICE = "You are going to run for mayor in the upcoming election"
MAYOR = "Who is running for mayor?"
PACE = 60
TYPED = (
    "Good morning! I am Ada. I am writing a book about this town.",
    "What are you doing today?",
    "Thank you, I would love to come. Goodbye!",
)
TYPED_AGAIN = ("Hello again, Isabella!", "I must be going. See you at the party!")
WALKS_MAX = 8
WORD_SECONDS_MAX = 60.0


class Play(Stage):
    """The scenes, in the order of the day."""

    stream: Stream

    def burning_stove(self) -> None:
        """Set Isabella's stove on fire while she makes breakfast."""
        tell("\nA burning stove")
        self.run_until("06:34")
        before = self.hours(ISABELLA)
        fire = self.command(
            "objects/state", {"text": f"<{STOVE}> is burning", "reason": "a fire drill"}
        )
        self.run_until("06:45")
        command = self.service.get(fire)
        need(command["state"] == "done", f"the stove was not set: {command['refusal']}")
        tell(f"  a user writes at 06:34: <{STOVE}> is burning")
        since = command["effective_tick"]
        events = self.service.everything(
            f"{self.town}/events", agent=ISABELLA, **{"from": since}
        )
        chosen = [one for one in events if one["type"] == "reaction.decided.v1"]
        chosen = [one for one in chosen if one["data"]["choice"] == "act"]
        need(chosen, "Isabella did not react to the burning stove")
        tell(f"  {at(chosen[0]['time'])} she decides to {chosen[0]['data']['what']}")
        for action in self.service.everything(f"{self.town}/agents/{ISABELLA}/timeline"):
            if action["start_at"] >= chosen[0]["time"]:
                tell(f"  {at(action['start_at'])} {action['description']}")
        self.tell_change(before, self.hours(ISABELLA))
        righted = any(one["type"] == "agents.object-righted.v1" for one in events)
        burning = [
            thing for thing in self.service.get(f"{self.town}/state")["objects"]
            if thing["state"] == "burning"
        ]  # fmt: skip
        need(righted and not burning, "the stove burns on")
        tell("  The stove burns no more.")

    def reporter(self) -> str:
        """Ask John what he knows before anything has been told to him."""
        tell("\nA reporter's question")
        self.run_until("06:50")
        self.ask(JOHN, "Tell me about yourself.")
        answer: str = self.ask(JOHN, MAYOR)["answer"]
        return answer

    def inner_voice(self, answer_before: str) -> None:
        """Be John's inner voice, and hear what he makes of it."""
        tell("\nAn inner voice")
        before = self.hours(JOHN)
        voice = self.command(
            f"agents/{JOHN}/inner-voice", {"text": VOICE, "reason": "to see who hears of it"}
        )
        self.run_until("09:00")
        command = self.service.get(voice)
        need(command["state"] == "done", f"the voice was not heard: {command['refusal']}")
        tell(f"  a user says at 06:50: {VOICE}")
        memories = self.service.everything(f"{self.town}/agents/{JOHN}/memories")[::-1]
        thought = [one for one in memories if "run for mayor" in one["description"]]
        thought = [one for one in thought if one["kind"] in {"reflection", "plan"}]
        need(thought, "John does not remember what the voice said")
        for memory in thought:
            tell(f"  {at(memory['created_at'])} {memory['kind']}: {memory['description']}")
        self.tell_change(before, self.hours(JOHN))
        said = self._says_so()
        tell("  Asked again at 09:00:")
        again = self.ask(JOHN, MAYOR)["answer"]
        need(again != answer_before and "run" in again, "John answers as if he did not run")
        self._why(said)

    def _says_so(self) -> dict[str, Any]:
        """Tell the conversation in which John tells his family; return the words."""
        for talk in self.words(JOHN, FAMILY):
            for said in talk["utterances"]:
                if said["agent"] == JOHN and "run for mayor" in said["text"]:
                    self.tell_talk(talk)
                    found: dict[str, Any] = said
                    return found
        raise SceneMissing("John told neither Mei nor Eddy that he runs for mayor")

    def _why(self, said: dict[str, Any]) -> None:
        """Follow the words back to what he had in mind, and that to the inner voice."""
        tell(f"\nWhy did he say that? ({said['event']})")
        why = self.service.get(f"{self.town}/events/{said['event']}/provenance")
        cause = why["causes"][0]
        what = cause["data"].get("what") or cause["data"].get("text", "")
        tell(f"  because of {cause['id']}: {cause['type']}, {what}")
        if why["plan"] and why["plan"]["hour"]:
            tell(f"  planned for that hour: {why['plan']['hour']['description']}")
        found = [
            (one["query"], memory)
            for one in why["retrievals"]
            if one["for"] == said["event"]
            for memory in one["memories"]
            if "run for mayor" in memory["description"] and memory["kind"] == "reflection"
        ]
        need(found, "what he said does not rest on what the voice had told him")
        query, memory = min(found, key=lambda one: one[1]["rank"])
        tell(f"  for {query!r} came to mind, at rank {memory['rank']}:")
        tell(f"    {memory['kind']} {memory['id']}: {memory['description']}")
        parts = ", ".join(
            f"{name} {part['scaled']:.3f} x {part['weight']:g}"
            for name, part in memory["parts"].items()
        )
        tell(f"    score {memory['score']:.3f} = {parts}")
        origin = self.service.get(f"{self.town}/events/{memory['source']}")
        inputs = origin["type"] == "simulation.inner-voice-given.v1"
        need(inputs, f"the memory comes from {origin['type']}, not from the inner voice")
        tell(f"  which came from {origin['id']}: {origin['type']}")
        # The first words are a part of the decision to talk.
        brought = memory["description"]
        prompts = ((one, one["messages"][-1]["content"]) for one in why["model_calls"])
        call = next(one for one, prompt in prompts if brought in prompt)
        tell(f"  asked by {call['id']} (task {call['task']}, {call['model']})")
        lines = call["messages"][-1]["content"].splitlines()
        tell(f"    prompt: {next(line for line in lines if brought in line)}")
        tell(f"    answer: {json.dumps(call['answer'], ensure_ascii=False)}")

    def visitor(self) -> None:
        """Walk into Hobbs Cafe as a stranger, talk, leave, be remembered, and come back."""
        tell(f"\nA visitor at Hobbs Cafe, at {PACE} game seconds a second")
        self.service.post(f"{self.town}/run", {"pace": PACE})
        visit = self._enter({"description": "Ada Finch writes a book about small towns"})
        self._converse(visit, TYPED)
        self._leave(visit)
        tell("  Ada is gone. Isabella is asked:")
        told = self.ask(ISABELLA, "Whom have you met today?")["answer"]
        need("Ada Finch" in told, "Isabella does not remember Ada")
        self._tell_memories()
        tell("\nThe visitor comes back")
        visit = self._enter({})
        answer = self._converse(visit, TYPED_AGAIN)
        self._leave(visit)
        why = self.service.get(f"{self.town}/events/{answer['id']}/provenance")
        known = {
            memory["description"]: memory["score"]
            for one in why["retrievals"]
            if one["for"] == answer["id"]
            for memory in one["memories"]
            if memory["kind"] == "dialogue" and "Ada" in memory["description"]
        }
        need(known, "Isabella did not know Ada again")
        tell("  Isabella had in mind, when she answered:")
        for description, score in sorted(known.items(), key=lambda one: -one[1]):
            tell(f"    {score:.3f} {description}")
        self.service.post(f"{self.town}/pause", {})

    def _enter(self, more: dict[str, Any]) -> int:
        body = {"name": "Ada Finch", "place": "Hobbs Cafe", "reason": "to be met", **more}
        # From before the visit on, so that no word is missed.
        self.stream = Stream(
            self.service, self.id,
            "dialogue.said.v1", "dialogue.talk-ended.v1", "embodiment.began.v1",
            "embodiment.ended.v1", "embodiment.action-request-answered.v1", "agents.action-began.v1",
        )  # fmt: skip
        visit: int = self.service.post(f"{self.town}/visitors", body)["id"]
        self._hear("embodiment.began.v1", "Ada did not come to town", embodiment=visit)
        standing = self.service.get(f"{self.town}/embodiments/{visit}")["standing"]
        seen = ", ".join(person["name"] for person in standing["agents"]) or "nobody"
        tell(f"  Ada stands in {standing['place']} and sees {seen}.")
        return visit

    def _converse(self, visit: int, lines: Iterable[str]) -> dict[str, Any]:
        """Walk up to Isabella and talk with her, turn by turn; return her last words."""
        self._walk_up(visit)
        answer: dict[str, Any] = {}
        *first, last = lines
        for line in (*first, last):
            self._say(visit, {"text": line, "to": ISABELLA, "ends": line == last})
            if line != last:
                answer = self._hear("dialogue.said.v1", f"no answer to {line!r}", to=ADA)
        # When the talk is over for her, she remembers what it was about.
        self._hear("dialogue.talk-ended.v1", "the talk does not end", stream=ISABELLA)
        return answer

    def _say(self, visit: int, words: dict[str, Any]) -> None:
        """Say it, and walk after Isabella where she has gone on before Ada could speak."""
        for _ in range(WALKS_MAX):
            trouble = self._act(visit, {"say": words})
            if not trouble.startswith("not-in-view"):
                need(not trouble, f"Ada did not say {words['text']!r}: {trouble}")
                return
            self._walk_up(visit)
        raise SceneMissing("Isabella walks away from Ada")

    def _walk_up(self, visit: int) -> None:
        """Walk to where Isabella is, and after her should she walk on meanwhile."""
        for _ in range(WALKS_MAX):
            agents = self.service.get(f"{self.town}/state")["agents"]
            place = next(person["place"] for person in agents if person["slug"] == ISABELLA)
            trouble = self._act(visit, {"move": {"to": place}})
            standing = self.service.get(f"{self.town}/embodiments/{visit}")["standing"]
            if not trouble and ISABELLA in {seen["slug"] for seen in standing["agents"]}:
                return
            self._hear("agents.action-began.v1", "Isabella stays where she is", stream=ISABELLA)
        raise SceneMissing("Ada did not find Isabella")

    def _act(self, visit: int, action: dict[str, Any]) -> str:
        """Have Ada do something, and wait until it is done; return why it was refused."""
        self.service.post(f"{self.town}/embodiments/{visit}/actions", action)
        kind, outcome = "embodiment.action-request-answered.v1", "begun"
        while outcome == "begun":
            answered = self._hear(kind, f"nothing came of {action}", stream=ADA)["data"]
            outcome = answered["outcome"]
        return "" if outcome == "done" else f"{answered['code']}, {answered['why']}"

    def _leave(self, visit: int) -> None:
        self.service.delete(f"{self.town}/embodiments/{visit}")
        self._hear("embodiment.ended.v1", "Ada did not leave", embodiment=visit)

    def _hear(self, kind: str, missing: str, **wanted: Any) -> dict[str, Any]:
        """Follow the stream to the next event of a kind with such members."""
        try:
            for _, event in self.stream.wait_for("", seconds=WORD_SECONDS_MAX):
                members = event | event["data"]
                if event["type"] == "dialogue.said.v1" and ADA in (
                    event["stream"],
                    members["to"],
                ):
                    self._tell_words(event)
                if event["type"] == kind and wanted.items() <= members.items():
                    return dict(event)
        except Late:
            pass
        raise SceneMissing(missing)

    def _tell_words(self, event: dict[str, Any]) -> None:
        tell(f"  {at(event['time'])} {event['stream']}: {event['data']['text']}")

    def _tell_memories(self) -> None:
        tell("  She remembers, among other things:")
        memories = self.service.everything(f"{self.town}/agents/{ISABELLA}/memories")
        for memory in memories:
            if "Ada" in memory["description"] and memory["kind"] != "observation":
                tell(f"    {memory['kind']} {memory['importance']}: {memory['description']}")


def main() -> int:
    """Play all scenes; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("address", help="as in http://127.0.0.1:8000")
    parser.add_argument("--token", default=os.environ.get("SMALLVILLE_TOKEN", ""))
    parser.add_argument("--simulation", default="", help="a paused one before 6:34 am")
    asked = parser.parse_args()
    if not asked.token:
        parser.error("give --token, or set SMALLVILLE_TOKEN")
    try:
        play = Play(Service(asked.address, asked.token), asked.simulation)
        play.burning_stove()
        answer = play.reporter()
        play.inner_voice(answer)
        play.visitor()
    except (SceneMissing, Refused, Unreachable) as trouble:
        print(f"The play is over: {trouble}", file=sys.stderr)
        return 1
    except Late:
        print("The play is over: the town has said nothing for too long", file=sys.stderr)
        return 1
    tell("\nAll scenes were played.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
