"""A day as blocks that never overlap, while the stand-in puts it together."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from apps.planning.offline.telling import joint, last_step

LEAST_MINUTES = 30
FILLER_MINUTES = 45


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """What is done from `start` to `end` (minutes) and at which place (a path)."""

    start: int
    end: int
    text: str
    place: str

    @property
    def minutes(self) -> int:
        """How long it lasts."""
        return self.end - self.start


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


def joined(blocks: list[Block], most: int) -> list[Block]:
    """Return at most so many blocks: neighbours at one place are told in one breath.

    The later ones of a day are joined first; where no two neighbours share a place, the
    shortest block that is no meal gives its time to the one before it.
    """
    blocks = _same_joined(blocks)
    while len(blocks) > most:
        pairs = [
            index
            for index in range(len(blocks) - 1, 0, -1)
            if blocks[index].place == blocks[index - 1].place
        ]
        if pairs:
            before, after = blocks[pairs[0] - 1], blocks[pairs[0]]
            both = replace(before, end=after.end, text=_in_one_breath(before, after))
            blocks[pairs[0] - 1 : pairs[0] + 1] = [both]
        else:
            index = min(range(1, len(blocks)), key=lambda at: _dearness(blocks[at]))
            blocks[index - 1] = replace(blocks[index - 1], end=blocks[index].end)
            del blocks[index]
    return blocks


def _in_one_breath(before: Block, after: Block) -> str:
    """Return both texts, or the longer one's where the other only fills a short gap."""
    if after.text == last_step(before.text) or _is_filler(after):
        return before.text
    return after.text if _is_filler(before) else joint(before.text, after.start, after.text)


def _is_filler(block: Block) -> bool:
    kept = any(word in block.text for word in ("lunch", "dinner", "morning", "bed"))
    return block.minutes < FILLER_MINUTES and not kept


def _dearness(block: Block) -> tuple[bool, int]:
    return ("lunch" in block.text or "dinner" in block.text, block.minutes)


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
