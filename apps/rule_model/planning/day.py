"""A day while it is outlined: what is known of it and its agent, and what is planned so far."""

from dataclasses import dataclass, field

from apps.planning.inputs import DayOutlineInput
from apps.rule_model.content import Content
from apps.rule_model.model import Chance
from apps.rule_model.planning.phrases import Description, description_of
from apps.rule_model.planning.places import Surroundings
from apps.rule_model.planning.timeline import Block, Timeline


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """The input of an outline, read; `timeline` is filled step by step."""

    given: DayOutlineInput
    chance: Chance
    where: Surroundings
    described: Description
    timeline: Timeline
    done_yesterday: frozenset[str] = field(default_factory=frozenset)

    @property
    def likings(self) -> str:
        """Traits, pursuits and occupation in one text, to look for words in."""
        traits, described = self.given.summary.traits, self.described
        return ", ".join((*traits, *described.pursuits, described.occupation))

    def may_stay(self, block: Block) -> bool:
        """Whether the block's place is open to the agent for all of its time."""
        return self.where.lets_in(block.place, block.start, block.end)

    def is_after_dinner(self, minute: int) -> bool:
        """Whether dinner is over at the minute."""
        return any(b.start < minute and "dinner" in b.text for b in self.timeline.blocks)


def begin_day(given: DayOutlineInput, chance: Chance, content: Content) -> Day:
    """Return the day with nothing planned."""
    planned = () if given.yesterday is None else given.yesterday.planned
    return Day(
        given=given,
        chance=chance,
        where=Surroundings(
            agent_name=given.agent_name,
            places=given.places,
            home=given.home,
            workplace=given.workplace,
            content=content,
        ),
        described=description_of(given.agent_name, given.memories, given.date),
        timeline=Timeline(given.now_minute, given.bed_minute),
        done_yesterday=frozenset(one.activity for one in planned),
    )
