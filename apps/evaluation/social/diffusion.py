"""The diffusion of a piece of news as of a tick, with its evidence (paper 7.1, E4)."""

from collections.abc import Sequence
from dataclasses import dataclass

from apps.evaluation.social.grapevine import Grapevine, NewsLink, TellerNotSearched, Unexplained
from apps.evaluation.social.news import FollowedNews
from apps.memory.events import MemoryFormed


@dataclass(frozen=True, slots=True, kw_only=True)
class Knower:
    """An agent that knows the news, with the first memory that holds it.

    `chain` are the steps by which the news came to it, () for an origin. `problem` says why
    there is no chain, "" otherwise: the agent may have made it up, unless `teller_not_searched`
    names an agent whose memories would have to be searched first.
    """

    agent: str
    memory: int
    description: str
    tick: int
    is_origin: bool
    """Whether it knows it from its description or from a user."""
    chain: tuple[NewsLink, ...]
    problem: str
    teller_not_searched: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Diffusion:
    """Who knows a piece of news as of the end of a tick, and who does not, by slug."""

    as_of_tick: int
    knowers: tuple[Knower, ...]
    unaware: tuple[str, ...]

    @property
    def agents(self) -> int:
        """The number of agents."""
        return len(self.knowers) + len(self.unaware)

    @property
    def share(self) -> float | None:
        """The share of the agents that know, 0 to 1; None without agents."""
        return len(self.knowers) / self.agents if self.agents else None

    @property
    def unexplained(self) -> int:
        """The number of knowers without a chain of events, whose tellers were all searched."""
        return sum(
            bool(knower.problem) and not knower.teller_not_searched for knower in self.knowers
        )


def diffusion(
    grapevine: Grapevine, news: FollowedNews, agents: Sequence[str], *, as_of_tick: int
) -> Diffusion:
    """Return the diffusion of the news among agents, given by slug."""
    first = grapevine.knowers(news, at_tick=as_of_tick)
    knowers = []
    for agent in sorted(first.keys() & set(agents)):
        recorded = first[agent]
        event = recorded.event
        assert isinstance(event, MemoryFormed)
        chain, problem, teller = _explained(grapevine, news, agent, as_of_tick)
        knowers.append(
            Knower(
                agent=agent,
                memory=event.number,
                description=event.description,
                tick=recorded.tick,
                is_origin=news.begins_with(agent, recorded),
                chain=chain,
                problem=problem,
                teller_not_searched=teller,
            )
        )
    unaware = sorted(set(agents) - first.keys())
    return Diffusion(as_of_tick=as_of_tick, knowers=tuple(knowers), unaware=tuple(unaware))


def _explained(
    grapevine: Grapevine, news: FollowedNews, agent: str, tick: int
) -> tuple[tuple[NewsLink, ...], str, str]:
    """Return the chain of events, the reason that there is none, and who was not searched."""
    try:
        return tuple(grapevine.chain(news, agent, at_tick=tick)), "", ""
    except TellerNotSearched as error:
        return (), str(error), error.teller
    except Unexplained as error:
        return (), str(error), ""
