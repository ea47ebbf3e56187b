"""Blocks of a day: no gaps, few strokes, nothing lost that was said (stand-in)."""

from apps.rule_model.planning.timeline import Block, Timeline, joined

HOME, PARK, SHOP = "Mill Cottage", "the park", "The Bakery"


def block(start: int, end: int, text: str, place: str, *, said: bool = False) -> Block:
    return Block(start=start * 60, end=end * 60, text=text, place=place, said=said)


def always(_: Block) -> bool:
    return True


class TestClosedUp:
    def test_lets_a_block_last_until_the_next(self) -> None:
        day = Timeline(8 * 60, 12 * 60)
        day.add(block(8, 9, "wash", HOME))
        day.add(block(10, 12, "bake", SHOP))
        closed = day.closed_up(always, lambda after: after.place == HOME)
        assert [(at.start // 60, at.end // 60) for at in closed] == [(8, 10), (10, 12)]

    def test_lets_people_go_home_early(self) -> None:
        day = Timeline(8 * 60, 12 * 60)
        day.add(block(8, 9, "buy bread", SHOP))
        day.add(block(10, 12, "read", HOME))
        closed = day.closed_up(always, lambda after: after.place == HOME)
        assert [(at.start // 60, at.end // 60) for at in closed] == [(8, 9), (9, 12)]


class TestJoined:
    def test_tells_neighbours_at_one_place_in_one_breath(self) -> None:
        blocks = [block(8, 9, "wash", HOME), block(9, 12, "read", HOME)]
        [told] = joined(blocks, 1, always)
        assert told.text == "wash, then from 9:00 am read"

    def test_does_what_nobody_said_where_one_is(self) -> None:
        blocks = [
            block(8, 10, "run in the park", PARK, said=True),
            block(10, 11, "study", HOME),
            block(11, 13, "bake", SHOP, said=True),
        ]
        told = joined(blocks, 2, always)
        assert [at.text for at in told] == [
            "run in the park, then from 10:00 am study",
            "bake",
        ]

    def test_keeps_meals_and_what_was_said_longest(self) -> None:
        blocks = [
            block(8, 9, "have breakfast", HOME),
            block(9, 10, "run in the park", PARK, said=True),
            block(10, 12, "have a coffee at The Bakery", SHOP),
            block(12, 13, "have lunch", HOME),
        ]
        told = [at.text for at in joined(blocks, 3, always)]
        assert told == ["have breakfast", "run in the park", "have lunch"]

    def test_lets_nobody_stay_where_they_may_not(self) -> None:
        blocks = [
            block(8, 9, "wash", HOME),
            block(9, 12, "bake", SHOP),
            block(12, 13, "rest", PARK),
        ]
        told = joined(blocks, 2, lambda at: at.place != SHOP or at.end <= 12 * 60)
        assert [at.place for at in told] == [HOME, PARK]
