"""Measures a run as of the end of a tick, by the measures of `evaluation`."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from apps.evaluation.models import NewsSearchRow
from apps.evaluation.news_searches.verified_diffusion import (
    KnowledgeVerdict,
    VerifiedDiffusion,
    verified_diffusion,
)
from apps.evaluation.social.diffusion import Diffusion, diffusion
from apps.evaluation.social.guest_list import GuestList, guest_list
from apps.evaluation.social.news import news_of
from apps.experiments.argued_measures import Gathering, NewsMeasure
from apps.experiments.design import ExperimentDesign, tick_of_moment
from apps.experiments.measure_names import ATTENDANCE, values_of_news
from apps.experiments.measure_registry import MEASURES, Value
from apps.experiments.run_at_tick import RunAtTick


@dataclass(frozen=True)
class MeasuredRun(RunAtTick):
    """A run with the finished searches for news, by the name of their measure."""

    searches: Mapping[str, NewsSearchRow] = field(default_factory=dict)
    _searched: dict[str, VerifiedDiffusion] = field(default_factory=dict, init=False)

    def spread(self, news: NewsMeasure) -> Diffusion:
        """Return who knows a piece of news."""
        if news.news:
            return self.searched(news).spread
        words = news_of(news.topic, news.about, news.asks, news.name)
        return diffusion(self.log, words, self.agents, as_of_tick=self.tick)

    def searched(self, news: NewsMeasure) -> VerifiedDiffusion:
        """Return who knows a piece of news by the memories that a search has verified."""
        if news.name not in self._searched:
            self._searched[news.name] = verified_diffusion(self.searches[news.name], self.log)
        return self._searched[news.name]

    def guests(self, news: Gathering, spread: Diffusion) -> GuestList | None:
        """Return the guests of a gathering; None before its end."""
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


def measure(run: MeasuredRun, design: ExperimentDesign) -> dict[str, Value]:
    """Return the values of all measures but surveys, by name in order of the design."""
    values: dict[str, Value] = {
        name: MEASURES.item(name).function(run) for name in design.plain_measures
    }
    for news in design.news:
        values |= _of_news(run, news)
    return values


def _of_news(run: MeasuredRun, news: NewsMeasure) -> dict[str, Value]:
    spread = run.spread(news)
    if not isinstance(news, Gathering):
        found: tuple[Value, ...] = (len(spread.knowers), spread.share, spread.unexplained)
        if news.news:
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
