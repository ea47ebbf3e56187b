"""How news travelled: who knows it, and by which chain of events from whom it began with."""

import re
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from apps import wiring
from apps.dialogue.events import Said
from apps.eventlog.event import Recorded
from apps.memory.events import MemoryFormed
from tests.support.prompt_records import records_in_prompt


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """A piece of news: with whom it began, and the words by which a sentence is about it.

    `topic` alone is in spoken words, where "I" and "my" may stand for names. `asks` are words
    that only ask about it: they tell nothing, whomever they are said to.
    """

    name: str
    origin: str
    topic: re.Pattern[str]
    about: re.Pattern[str]
    asks: re.Pattern[str] | None = None

    def is_in(self, text: str) -> bool:
        """Say whether the text tells of it."""
        told = self._without_questions(text)
        return bool(self.topic.search(told) and self.about.search(told))

    def is_topic_of(self, words: str) -> bool:
        """Say whether spoken words may tell of it."""
        return bool(self.topic.search(self._without_questions(words)))

    def _without_questions(self, text: str) -> str:
        return text if self.asks is None else self.asks.sub("", text)


PARTY = News(
    name="party",
    origin="isabella-rodriguez",
    topic=re.compile(r"\bparty\b", re.IGNORECASE),
    about=re.compile(r"\b(?:Isabella|Valentine|Hobbs Cafe)\b", re.IGNORECASE),
)
CANDIDACY = News(
    name="candidacy",
    origin="sam-moore",
    topic=re.compile(r"\b(?:mayor|candida\w+|election)\b", re.IGNORECASE),
    about=re.compile(r"\bSam(?: Moore)?\b.*\b(?:run|runs|running|candida\w+)\b", re.IGNORECASE),
    # The description of an agent that has not heard of it asks so.
    asks=re.compile(
        r"\bwho (?:will|is going to) run for mayor(?: in the(?: local)? election)?",
        re.IGNORECASE,
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """One step of a chain: who came to know, when, from whom, by which event."""

    agent: str
    tick: int
    source: str
    event: str
    memory: str


class Unexplained(AssertionError):
    """Somebody knows something that no event explains."""


class Grapevine:
    """The memories, words and deeds of a town, for asking where knowledge came from."""

    def __init__(self, simulation_id: UUID) -> None:
        """Read the whole log."""
        self._events = {
            str(recorded.place): recorded
            for recorded in wiring.event_store().read(simulation_id)
        }

    @cached_property
    def _memories(self) -> dict[str, list[Recorded]]:
        found: dict[str, list[Recorded]] = {}
        for recorded in self._events.values():
            if isinstance(recorded.event, MemoryFormed):
                found.setdefault(recorded.stream, []).append(recorded)
        return found

    @cached_property
    def _said(self) -> dict[str, list[Recorded]]:
        found: dict[str, list[Recorded]] = {}
        for recorded in self._events.values():
            if isinstance(recorded.event, Said):
                found.setdefault(recorded.event.conversation, []).append(recorded)
        return found

    def knowers(self, news: News, *, at_tick: int) -> dict[str, Recorded]:
        """Return who knows the news at the tick, each with the first memory that holds it."""
        return {
            agent: first
            for agent in self._memories
            if (first := self._first(agent, news, before=at_tick + 1)) is not None
        }

    def chain(self, news: News, agent: str, *, at_tick: int) -> list[Link]:
        """Return how the news came to somebody, from the first teller to them.

        :raises Unexplained: if a step has no cause in what the one before said or did.
        """
        links: list[Link] = []
        tick = at_tick + 1
        while agent != news.origin:
            first = self._first(agent, news, before=tick)
            if first is None:
                raise Unexplained(f"{agent} does not know of the {news.name} before {tick}")
            told = self._cause(news, first)
            links.append(
                Link(
                    agent=agent,
                    tick=first.tick,
                    source=told.stream,
                    event=str(told.place),
                    memory=_description(first),
                )
            )
            agent, tick = told.stream, told.tick
            if any(link.agent == agent for link in links):
                raise Unexplained(f"{news.name}: {links} goes round in a circle")
        return links[::-1]

    def _first(self, agent: str, news: News, *, before: int) -> Recorded | None:
        return next(
            (
                memory
                for memory in self._memories.get(agent, ())
                if memory.tick < before and news.is_in(_description(memory))
            ),
            None,
        )

    def _cause(self, news: News, memory: Recorded) -> Recorded:
        """Return the words or the deed of somebody else that the memory came from."""
        cause = self._events.get(memory.cause)
        if cause is None:
            raise Unexplained(f"nothing told {memory.stream}: {_description(memory)!r}")
        if isinstance(cause.event, Said):
            return self._words(news, memory, cause.event.conversation)
        if cause.stream != memory.stream:
            if not self._first(cause.stream, news, before=cause.tick):
                raise Unexplained(
                    f"{cause.stream} did what they could not know at {cause.tick}"
                )
            return cause
        conversation = getattr(cause.event, "conversation", "")
        if conversation:
            return self._words(news, memory, conversation)
        raise Unexplained(f"{memory.stream} made it up: {_description(memory)!r}")

    def _words(self, news: News, memory: Recorded, conversation: str) -> Recorded:
        """Return the words of the other one that told it; they had it in mind themselves."""
        for said in self._said.get(conversation, ()):
            event = said.event
            assert isinstance(event, Said)
            is_heard = said.stream != memory.stream and said.tick <= memory.tick
            if not is_heard or not news.is_topic_of(event.text):
                continue
            if not self._has_in_mind(news, said):
                raise Unexplained(f"{said.stream} said at {said.tick} what was not in mind")
            return said
        raise Unexplained(f"no words in {conversation} told {memory.stream}")

    def _has_in_mind(self, news: News, said: Recorded) -> bool:
        """Say whether the prompt of the words had the news from memories of the speaker.

        They are those that were retrieved, and those that a record in it rests on.
        """
        event = said.event
        assert isinstance(event, Said)
        stream = [one for one in self._events.values() if one.stream == said.stream]
        telling = (one for one in records_in_prompt(stream, said) if news.is_in(one.text))
        numbers = {*event.memories, *(number for one in telling for number in one.evidence)}
        return any(
            news.is_in(_description(kept))
            for kept in self._memories.get(said.stream, ())
            if isinstance(kept.event, MemoryFormed)
            and kept.event.number in numbers
            and kept.tick <= said.tick
        )


def _description(memory: Recorded) -> str:
    assert isinstance(memory.event, MemoryFormed)
    return memory.event.description
