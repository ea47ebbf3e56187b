"""A day as blocks of time that never overlap, while it is outlined."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import groupby, zip_longest

from apps.planning.inputs import DayOutlineInput
from apps.rule_model.content import Content
from apps.rule_model.language.moments import HOUR, WEEKDAYS
from apps.rule_model.model import Chance
from apps.rule_model.planning.phrases import MEALS, Description, description_of
from apps.rule_model.planning.rooms import Surroundings
from apps.rule_model.planning.wording import joint, last_step, with_each_step, without_place

LEAST_MINUTES = 30
SAID_MINUTES_MIN = 15
FILLER_MINUTES = 45
ACTIVITY_CHARACTERS_MAX = 300  # of an answer; a longer one is rejected


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """What is done from `start` to `end` (minutes) and at which place (a path).

    `said` marks a block whose hours the agent's own phrases give, `promised` one that
    others count on, `is_kept` the time in a place that the agent keeps open.
    """

    start: int
    end: int
    text: str
    place: str
    said: bool = False
    promised: bool = False
    is_kept: bool = False

    @property
    def minutes(self) -> int:
        """How long it lasts."""
        return self.end - self.start


class Timeline:
    """Blocks between `start` and `end`, in order."""

    def __init__(self, start: int, end: int) -> None:
        self.start, self.end = start, end
        self.blocks: list[Block] = []

    def add(self, block: Block) -> None:
        """Put in what of the block is still free."""
        free = [(max(start, block.start), min(end, block.end)) for start, end in self.gaps()]
        least = SAID_MINUTES_MIN if block.said else LEAST_MINUTES
        kept = [(start, end) for start, end in free if end - start >= least]
        self._put([replace(block, start=start, end=end) for start, end in kept])

    def carve(self, block: Block) -> None:
        """Put in the block and take its time from whatever was there."""
        block = replace(block, start=max(block.start, self.start), end=min(block.end, self.end))
        if block.minutes < LEAST_MINUTES:
            return
        rests = [rest for other in self.blocks for rest in _without(other, block)]
        self.blocks = []
        self._put([block, *rests])

    def gaps(self, least: int = 1) -> Iterator[tuple[int, int]]:
        """Return the free stretches of at least so many minutes."""
        edges = [self.start, *(at for b in self.blocks for at in (b.start, b.end)), self.end]
        for start, end in zip(edges[::2], edges[1::2], strict=True):
            if end - start >= least:
                yield start, end

    def at(self, minute: int) -> Block | None:
        """Return the block that holds the minute."""
        return next((b for b in self.blocks if b.start <= minute < b.end), None)

    def closed_up(
        self, may_stay: Callable[[Block], bool], goes_early: Callable[[Block], bool]
    ) -> list[Block]:
        """Return the blocks, each until the next where it may stay and that is not early."""
        closed: list[Block] = []
        begun = self.start
        for block, after in zip_longest(self.blocks, self.blocks[1:]):
            end = self.end if after is None else after.start
            longer = replace(block, start=begun, end=end)
            leaves = after is not None and after.place != block.place and goes_early(after)
            stays = may_stay(longer) and not leaves
            closed.append(longer if stays else replace(longer, end=block.end))
            begun = closed[-1].end
        return closed

    def _put(self, blocks: list[Block]) -> None:
        self.blocks = sorted([*self.blocks, *blocks], key=lambda block: block.start)


def joined(blocks: list[Block], most: int) -> list[Block]:
    """Return at most so many blocks: neighbours become one that names the times of both.

    Neighbours at one place are joined first, the later ones before the others; then those with
    the least to lose, where the second one says at which place it is done.
    """
    runs = (list(run) for _, run in groupby(blocks, key=lambda one: (one.text, one.place)))
    blocks = [replace(run[0], end=run[-1].end) for run in runs]
    while len(blocks) > most:
        pairs = range(1, len(blocks))
        at = min(pairs, key=lambda at: (*_loss(blocks[at - 1], blocks[at]), -at))
        before, after = blocks[at - 1], blocks[at]
        blocks[at - 1 : at + 1] = [_in_one(before, after)]
    return blocks


def _loss(before: Block, after: Block) -> tuple[bool, bool, int, int, int]:
    """Return how much is lost in one chunk: one of two long texts, a start between hours."""
    is_long = len(_in_one_breath(before, after)) > ACTIVITY_CHARACTERS_MAX
    if before.place == after.place:
        return (is_long, False, 0, 0, 0)
    promised = before.promised + after.promised + (before.is_kept or after.is_kept)
    past = after.start % HOUR
    return (is_long, True, promised, min(past, HOUR - past), before.said + after.said)


def _in_one(before: Block, after: Block) -> Block:
    """Return both blocks as one; where their text is too long, what the longer one is for."""
    text, place = _in_one_breath(before, after), before.place
    if len(text) > ACTIVITY_CHARACTERS_MAX:
        longer = before if before.minutes >= after.minutes else after
        text, place = longer.text, longer.place
    said, promised = before.said or after.said, before.promised or after.promised
    kept = before.is_kept or after.is_kept
    both = replace(before, end=after.end, text=text, place=place)
    return replace(both, said=said, promised=promised, is_kept=kept)


def _in_one_breath(before: Block, after: Block) -> str:
    """Return both texts, or the longer one's where the other only fills a short gap."""
    if before.place == after.place:
        if after.text == last_step(before.text) or _is_filler(after):
            return before.text
        if _is_filler(before):
            return after.text
        return joint(before.text, after.start, after.text)
    told = with_each_step(after.text, lambda step: with_place(step, after.place))
    return joint(before.text, after.start, told)


def with_place(text: str, path: str) -> str:
    """Return the text with its place, unless it names one: "read a book at Ada's house"."""
    place, _, area = path.partition(": ")
    if place in text or without_place(text) != text:
        return text
    return f"{text} in the {area} of {place}" if area else f"{text} at {place}"


def _is_filler(block: Block) -> bool:
    kept = any(word in block.text for word in (*MEALS, "morning", "bed"))
    return block.minutes < FILLER_MINUTES and not kept and not block.promised and not block.said


def _without(block: Block, cut: Block) -> Iterator[Block]:
    """Yield what is left of a block, without rests that are too short to be worth it."""
    if block.end <= cut.start or cut.end <= block.start:
        yield block
        return
    rests = ((block.start, min(block.end, cut.start)), (max(block.start, cut.end), block.end))
    for start, end in rests:
        if end - start >= LEAST_MINUTES:
            yield replace(block, start=start, end=end)


@dataclass(frozen=True, slots=True, kw_only=True)
class Day:
    """The input of an outline, read; `timeline` is filled step by step."""

    inputs: DayOutlineInput
    chance: Chance
    where: Surroundings
    described: Description
    timeline: Timeline
    done_yesterday: frozenset[str] = field(default_factory=frozenset)

    @property
    def likings(self) -> str:
        """Traits, pursuits and occupation in one text, to look for words in."""
        traits, described = self.inputs.summary.traits, self.described
        return ", ".join((*traits, *described.pursuits, described.occupation))

    @property
    def weekday(self) -> str:
        """The English name of the day: "Saturday"."""
        return WEEKDAYS[self.inputs.date.weekday()]

    def may_stay(self, block: Block) -> bool:
        """Whether the block's place is open to the agent for all of its time."""
        return self.where.lets_in(block.place, block.start, block.end)


def begin_day(inputs: DayOutlineInput, chance: Chance, content: Content) -> Day:
    """Return the day with nothing planned."""
    done = () if inputs.yesterday is None else inputs.yesterday.performed
    return Day(
        inputs=inputs,
        chance=chance,
        where=Surroundings(
            agent_name=inputs.agent_name,
            places=inputs.places,
            home=inputs.home,
            workplace=inputs.workplace,
            content=content,
        ),
        described=description_of(
            inputs.agent_name, inputs.memories, inputs.date, inputs.summary.lasting.of_days
        ),
        timeline=Timeline(inputs.now_minute, inputs.bed_minute),
        done_yesterday=frozenset(one.activity for one in done),
    )
