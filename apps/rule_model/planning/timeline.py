"""A day as blocks that never overlap, while the stand-in puts it together."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from apps.rule_model.planning.telling import joint, last_step

LEAST_MINUTES = 30
FILLER_MINUTES = 45
MEALS = ("breakfast", "lunch", "dinner")


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """What is done from `start` to `end` (minutes) and at which place (a path).

    `said` if the person's own phrases give its hours, `promised` if others count on it.
    """

    start: int
    end: int
    text: str
    place: str
    said: bool = False
    promised: bool = False

    @property
    def minutes(self) -> int:
        """How long it lasts."""
        return self.end - self.start

    @property
    def names_its_place(self) -> bool:
        """Whether the text says where it is done: "take a walk in Johnson Park"."""
        return self.place.partition(": ")[0] in self.text


class Timeline:
    """Blocks between `start` and `end`, in order."""

    def __init__(self, start: int, end: int) -> None:
        """Begin empty."""
        self.start, self.end = start, end
        self.blocks: list[Block] = []

    def add(self, block: Block) -> bool:
        """Put in what of the block is still free; say whether there was any of it."""
        free = [(max(start, block.start), min(end, block.end)) for start, end in self.gaps()]
        kept = [(start, end) for start, end in free if end - start >= LEAST_MINUTES]
        self._put([replace(block, start=start, end=end) for start, end in kept])
        return bool(kept)

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
        edges = [
            self.start,
            *(edge for b in self.blocks for edge in (b.start, b.end)),
            self.end,
        ]
        for start, end in zip(edges[::2], edges[1::2], strict=True):
            if end - start >= least:
                yield start, end

    def at(self, minute: int) -> Block | None:
        """Return the block that holds the minute."""
        return next((b for b in self.blocks if b.start <= minute < b.end), None)

    def is_taken(self, start: int, end: int) -> bool:
        """Say whether something that has its hours lies between the minutes."""
        return any(b.said and b.start < end and start < b.end for b in self.blocks)

    def is_promised(self, minute: int) -> bool:
        """Say whether others count on what the minute is for."""
        block = self.at(minute)
        return block is not None and block.promised

    def closed_up(
        self, may_stay: Callable[[Block], bool], goes_early: Callable[[Block], bool]
    ) -> list[Block]:
        """Return the blocks without gaps.

        Each lasts until the next, where it may stay and the next does not begin early.
        """
        closed: list[Block] = []
        begun = self.start
        for block, after in zip(self.blocks, [*self.blocks[1:], None], strict=True):
            end = self.end if after is None else after.start
            longer = replace(block, start=begun, end=end)
            leaves = after is not None and after.place != block.place and goes_early(after)
            stays = may_stay(longer) and not leaves
            closed.append(longer if stays else replace(longer, end=block.end))
            begun = closed[-1].end
        return closed

    def _put(self, blocks: list[Block]) -> None:
        self.blocks = sorted([*self.blocks, *blocks], key=lambda block: block.start)


def joined(blocks: list[Block], most: int, may_stay: Callable[[Block], bool]) -> list[Block]:
    """Return at most so many blocks: neighbours at one place are told in one breath.

    The later ones of a day are joined first. Where no two neighbours share a place, the
    shortest block that is no meal and that nobody said goes to the one before it, if that
    one may stay so long, and what can be done anywhere is done there.
    """
    blocks = _same_joined(blocks)
    while len(blocks) > most:
        pairs = [
            index
            for index in range(len(blocks) - 1, 0, -1)
            if blocks[index].place == blocks[index - 1].place
        ]
        if pairs:
            _join(blocks, pairs[0])
            continue
        at = min(
            range(1, len(blocks)),
            key=lambda at: (not may_stay(_until(blocks, at)), _dearness(blocks[at])),
        )
        if blocks[at].said or blocks[at].names_its_place:
            blocks[at - 1 : at + 1] = [_until(blocks, at)]
        else:
            _join(blocks, at)
    return blocks


def _until(blocks: list[Block], index: int) -> Block:
    """Return the block before the index, with the time of the one at it."""
    return replace(blocks[index - 1], end=blocks[index].end)


def _join(blocks: list[Block], index: int) -> None:
    before, after = blocks[index - 1], blocks[index]
    told = _in_one_breath(before, after)
    said, promised = before.said or after.said, before.promised or after.promised
    both = replace(before, end=after.end, text=told, said=said, promised=promised)
    blocks[index - 1 : index + 1] = [both]


def _in_one_breath(before: Block, after: Block) -> str:
    """Return both texts, or the longer one's where the other only fills a short gap."""
    if after.text == last_step(before.text) or _is_filler(after):
        return before.text
    return after.text if _is_filler(before) else joint(before.text, after.start, after.text)


def _is_filler(block: Block) -> bool:
    kept = any(word in block.text for word in (*MEALS, "morning", "bed"))
    return block.minutes < FILLER_MINUTES and not kept and not block.promised


def _dearness(block: Block) -> tuple[bool, bool, bool, int]:
    is_meal = any(meal in block.text for meal in MEALS)
    return (block.promised, is_meal, block.said, block.minutes)


def _same_joined(blocks: list[Block]) -> list[Block]:
    together: list[Block] = []
    for block in blocks:
        if together and (together[-1].text, together[-1].place) == (block.text, block.place):
            together[-1] = replace(together[-1], end=block.end)
        else:
            together.append(block)
    return together


def _without(block: Block, cut: Block) -> Iterator[Block]:
    for start, end in (
        (block.start, min(block.end, cut.start)),
        (max(block.start, cut.end), block.end),
    ):
        if end - start >= LEAST_MINUTES:
            yield replace(block, start=start, end=end)
