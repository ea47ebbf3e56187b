"""The spread of news: who knows it, and by which chain of events from its origin (E4)."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from apps.dialogue.events import Said
from apps.evaluation.social.news import FollowedNews, description_of
from apps.evaluation.social.prompt_records import records_in_prompt
from apps.history import Recorded
from apps.memory.events import MemoryFormed


@dataclass(frozen=True, slots=True, kw_only=True)
class NewsLink:
    """One step of a chain: `agent` learned the news at `tick` from `source`, by an event.

    `memory` is the description of the memory that holds it, `number` its number.
    """

    agent: str
    tick: int
    source: str
    event: str
    """The words or the deed of the source, under …/events."""
    memory: str
    number: int


class Unexplained(Exception):
    """An agent knows something that no event explains."""


class TellerNotSearched(Unexplained):
    """The news can have come from an agent in whose memories it was not searched."""

    def __init__(self, teller: str) -> None:
        super().__init__(
            f"the memories of {teller} were not searched; search all agents, or as of an "
            "earlier moment if it has left"
        )
        self.teller = teller


class Grapevine:
    """The memories, words and deeds of a history, in which the way of news is followed.

    :param events: the log in canonical order.
    """

    def __init__(self, events: Iterable[Recorded]) -> None:
        self._events = {str(recorded.place): recorded for recorded in events}

    @cached_property
    def _memories(self) -> dict[str, list[Recorded]]:
        found: dict[str, list[Recorded]] = {}
        for recorded in self._events.values():
            if isinstance(recorded.event, MemoryFormed):
                found.setdefault(recorded.stream, []).append(recorded)
        return found

    @cached_property
    def _streams(self) -> dict[str, list[Recorded]]:
        found: dict[str, list[Recorded]] = {}
        for recorded in self._events.values():
            found.setdefault(recorded.stream, []).append(recorded)
        return found

    @cached_property
    def _said(self) -> dict[str, list[Recorded]]:
        found: dict[str, list[Recorded]] = {}
        for recorded in self._events.values():
            if isinstance(recorded.event, Said):
                found.setdefault(recorded.event.conversation, []).append(recorded)
        return found

    def knowers(self, news: FollowedNews, *, at_tick: int) -> dict[str, Recorded]:
        """Return the agents that know the news at the tick, with the first memory of it."""
        return {
            agent: first
            for agent in self._memories
            if (first := self._first(agent, news, before=at_tick + 1)) is not None
        }

    def chain(self, news: FollowedNews, agent: str, *, at_tick: int) -> list[NewsLink]:
        """Return how the news came to an agent, from the first teller on; () for an origin.

        :raises Unexplained: if a step has no cause in what the one before said or did.
        :raises TellerNotSearched: if a step may have one, in memories that were not searched.
        """
        links: list[NewsLink] = []
        tick = at_tick + 1
        while True:
            first = self._first(agent, news, before=tick)
            if first is None:
                raise Unexplained(f"{agent} does not know of the {news.name} before {tick}")
            if news.begins_with(agent, first):
                return links[::-1]
            told = self._cause(news, first)
            links.append(
                NewsLink(
                    agent=agent,
                    tick=first.tick,
                    source=told.stream,
                    event=str(told.place),
                    memory=description_of(first),
                    number=_number(first),
                )
            )
            agent, tick = told.stream, told.tick
            if any(link.agent == agent for link in links):
                raise Unexplained(f"{news.name}: {links} goes round in a circle")

    def _first(self, agent: str, news: FollowedNews, *, before: int) -> Recorded | None:
        return next(
            (
                memory
                for memory in self._memories.get(agent, ())
                if memory.tick < before and news.is_held_by(memory)
            ),
            None,
        )

    def _cause(self, news: FollowedNews, memory: Recorded) -> Recorded:
        """Return the words or the deed of another agent that the memory came from."""
        cause = self._events.get(memory.cause)
        if cause is None:
            raise Unexplained(f"nothing told {memory.stream}: {description_of(memory)!r}")
        if isinstance(cause.event, Said):
            return self._words(news, memory, cause.event.conversation)
        if cause.stream != memory.stream:
            if not self._first(cause.stream, news, before=cause.tick):
                if not news.is_known_of(cause.stream):
                    raise TellerNotSearched(cause.stream)
                raise Unexplained(
                    f"{cause.stream} did what they could not know at {cause.tick}"
                )
            return cause
        conversation = getattr(cause.event, "conversation", "")
        if conversation:
            return self._words(news, memory, conversation)
        raise Unexplained(f"{memory.stream} made it up: {description_of(memory)!r}")

    def _words(self, news: FollowedNews, memory: Recorded, conversation: str) -> Recorded:
        """Return the words of the other one that told it, which had it in mind itself."""
        heard = [
            said
            for said in self._said.get(conversation, ())
            if said.stream != memory.stream and said.tick <= memory.tick
        ]
        tellings = news.tellings(heard, memory)
        if not tellings:
            raise Unexplained(f"no words in {conversation} told {memory.stream}")
        for said in tellings:
            if self._has_in_mind(news, said):
                return said
        for said in tellings:
            if not news.is_known_of(said.stream):
                raise TellerNotSearched(said.stream)
        first = tellings[0]
        raise Unexplained(f"{first.stream} said at {first.tick} what was not in mind")

    def _has_in_mind(self, news: FollowedNews, said: Recorded) -> bool:
        """Return whether the prompt of the words had the news from memories of the speaker.

        They are those that were retrieved, and those that a record in it rests on.
        """
        event = said.event
        assert isinstance(event, Said)
        records = records_in_prompt(self._streams[said.stream], said)
        telling = (one for one in records if news.is_in_record(one.text))
        numbers = {*event.memories, *(number for one in telling for number in one.evidence)}
        return any(
            news.is_held_by(kept)
            for kept in self._memories.get(said.stream, ())
            if isinstance(kept.event, MemoryFormed)
            and kept.event.number in numbers
            and kept.tick <= said.tick
        )


def _number(memory: Recorded) -> int:
    assert isinstance(memory.event, MemoryFormed)
    return memory.event.number
