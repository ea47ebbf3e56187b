"""Measures a run as of the end of a tick, by the measures of `evaluation`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import mean
from uuid import UUID

from apps import history
from apps.evaluation.models import NewsSearchRow
from apps.evaluation.news_searches.verified_diffusion import (
    KnowledgeVerdict,
    VerifiedDiffusion,
    verified_diffusion,
)
from apps.evaluation.quality.counts import RunQuality, run_quality
from apps.evaluation.quality.persona_drift import AgentDrift, mean_drift, persona_drift
from apps.evaluation.social.diffusion import Diffusion, diffusion
from apps.evaluation.social.grapevine import Grapevine
from apps.evaluation.social.guest_list import GuestList, guest_list
from apps.evaluation.social.news import news_of
from apps.evaluation.social.routines import Routine, routines
from apps.evaluation.social.social_measures import SocialMeasures, social_measures
from apps.experiments.design import ExperimentDesign, NewsMeasure, tick_of_moment
from apps.experiments.measure_names import ATTENDANCE, values_of_news
from apps.history import Constants
from apps.simulation.ports import Ports

Value = float | None


@dataclass(frozen=True)
class RunAtTick:
    """A simulation as of the end of a tick; each measure is read when it is first asked for.

    `searches` are the finished searches for news by the name of their measure.
    """

    ports: Ports
    simulation_id: UUID
    tick: int
    searches: Mapping[str, NewsSearchRow] = field(default_factory=dict)
    _searched: dict[str, VerifiedDiffusion] = field(default_factory=dict, init=False)

    @cached_property
    def constants(self) -> Constants:
        """World and calendar."""
        return history.constants_of(self.simulation_id, self.ports.worlds)

    @cached_property
    def social(self) -> SocialMeasures:
        """The social measures."""
        return social_measures(self.simulation_id, as_of_tick=self.tick)

    @cached_property
    def quality(self) -> RunQuality:
        """The counts of quality."""
        return run_quality(self.simulation_id, self.ports.worlds, as_of_tick=self.tick)

    @cached_property
    def drift(self) -> Sequence[AgentDrift]:
        """How far the agents have moved from their descriptions."""
        return persona_drift(self.simulation_id, as_of_tick=self.tick)

    @cached_property
    def routines(self) -> Mapping[str, Routine]:
        """The routines of all agents since the beginning."""
        return routines(
            self.simulation_id,
            world=self.constants.world,
            calendar=self.constants.calendar,
            ticks=range(self.tick + 1),
        )

    @cached_property
    def agents(self) -> list[str]:
        """The slugs of the agents that are there."""
        return list(history.slugs_in_simulation(self.simulation_id, as_of_tick=self.tick))

    @cached_property
    def log(self) -> Grapevine:
        """The log, in which the way of news is followed."""
        return Grapevine(self.ports.store.read(self.simulation_id, until_tick=self.tick))

    def spread(self, news: NewsMeasure) -> Diffusion:
        """Return who knows a piece of news."""
        if news.sentence:
            return self.searched(news).spread
        words = news_of(news.topic, news.about, news.asks, news.name)
        return diffusion(self.log, words, self.agents, as_of_tick=self.tick)

    def searched(self, news: NewsMeasure) -> VerifiedDiffusion:
        """Return who knows a piece of news by the memories that a search has verified."""
        if news.name not in self._searched:
            self._searched[news.name] = verified_diffusion(self.searches[news.name], self.log)
        return self._searched[news.name]

    def guests(self, news: NewsMeasure, spread: Diffusion) -> GuestList | None:
        """Return the guests of a gathering; None before its end."""
        assert news.begins is not None
        assert news.ends is not None
        calendar = self.constants.calendar
        ticks = range(
            tick_of_moment(news.begins, calendar), tick_of_moment(news.ends, calendar)
        )
        if ticks.stop > self.tick:
            return None
        return guest_list(
            self.simulation_id,
            world=self.constants.world,
            calendar=calendar,
            place=news.place,
            ticks=ticks,
            news=spread,
            hosts=news.hosts,
        )


def measure(run: RunAtTick, design: ExperimentDesign) -> dict[str, Value]:
    """Return the values of all measures but surveys, by name in order of the design."""
    values: dict[str, Value] = {name: _plain(run, name) for name in design.plain_measures}
    for news in design.news:
        values |= _of_news(run, news)
    return values


def _of_news(run: RunAtTick, news: NewsMeasure) -> dict[str, Value]:
    spread = run.spread(news)
    if not news.place:
        found: tuple[Value, ...] = (len(spread.knowers), spread.share, spread.unexplained)
        if news.sentence:
            searched = run.searched(news)
            found += (
                searched.count(KnowledgeVerdict.HALLUCINATED),
                searched.count(KnowledgeVerdict.UNVERIFIED),
            )
    elif (guests := run.guests(news, spread)) is None:
        found = (None,) * len(ATTENDANCE)
    else:
        share = guests.came_knowing / guests.knew if guests.knew else None
        found = (guests.knew, guests.accepted, guests.came, guests.came_knowing, share)
    return dict(zip(values_of_news(news), found, strict=True))


def _plain(run: RunAtTick, name: str) -> Value:
    family, _, rest = name.partition(".")
    return _FAMILIES[family](run, rest)


def _network(run: RunAtTick, name: str) -> Value:
    kind, _, measured = name.partition(".")
    [network] = [one for one in run.social.networks if one.kind == kind]
    value: float = getattr(network, measured)
    return value


def _conversations(run: RunAtTick, name: str) -> Value:
    figures = run.social.conversations
    return {
        "count": figures.conversations,
        "openings": figures.openings,
        "pairs": figures.pairs,
        "utterances": figures.utterances.count,
        "utterances_each": figures.utterances_per_conversation,
        "words_each": figures.words_per_utterance,
        "repeated_share": figures.utterances.repeated_share,
    }[name]


def _commitments(run: RunAtTick, name: str) -> Value:
    return run.social.commitments[name]


def _plans(run: RunAtTick, name: str) -> Value:
    value: Value = getattr(run.social.plans, name)
    return value


def _quality(run: RunAtTick, name: str) -> Value:
    quality = run.quality
    is_checked = bool(quality.checks)
    faults = sum(check.fault_count for check in quality.checks)
    return {
        "memories_per_agent_day": quality.memories_per_agent_day,
        "memories_repeated_share": quality.memories.repeated_share,
        "reflections": quality.reflections.count,
        "reflections_repeated_share": quality.reflections.repeated_share,
        "answers_kept_share": quality.answers.kept_share,
        "answers_fell_back": quality.answers.fell_back,
        "checks_passed": quality.passed if is_checked else None,
        "faults": faults if is_checked else None,
    }[name]


def _drift(run: RunAtTick, name: str) -> Value:
    return mean_drift(run.drift, name)


def _routines(run: RunAtTick, name: str) -> Value:
    values = [getattr(one, name) for one in run.routines.values()]
    return mean(values) if values else None


_FAMILIES: Mapping[str, Callable[[RunAtTick, str], Value]] = {
    "network": _network,
    "conversations": _conversations,
    "commitments": _commitments,
    "plans": _plans,
    "quality": _quality,
    "drift": _drift,
    "routines": _routines,
}
