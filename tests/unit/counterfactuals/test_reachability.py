"""Which agents an intervention can reach: by sight, by words, by objects, in time."""

from typing import Any

from apps.counterfactuals.call_estimates import TurnEvent, reached_agents


def event(tick: int, agent: str, cause: str = "", **data: Any) -> TurnEvent:
    return TurnEvent(tick, agent, cause, data)


def reached(*events: TurnEvent, objects: tuple[str, ...] = ()) -> dict[str, int]:
    agents = () if objects else ("ann",)
    return reached_agents(events, agents=agents, objects=objects, from_tick=10)


class TestAnAgent:
    def test_is_reached_by_the_sight_of_a_reached_one(self) -> None:
        sight = event(12, "ben", sights=[{"subject": "ann", "area": "cafe"}])
        assert reached(sight) == {"ann": 10, "ben": 12}

    def test_is_reached_by_the_words_of_a_reached_one(self) -> None:
        assert reached(event(12, "ben", cause="11/ann/0")) == {"ann": 10, "ben": 12}

    def test_is_not_reached_by_words_of_before(self) -> None:
        assert reached(event(12, "ben", cause="9/ann/0")) == {"ann": 10}

    def test_is_not_reached_in_the_same_tick(self) -> None:
        assert reached(event(10, "ben", other="ann")) == {"ann": 10}

    def test_is_reached_through_others_in_the_order_of_time(self) -> None:
        early, late = event(12, "cem", other="ben"), event(14, "cem", other="ben")
        meeting = event(13, "ben", other="ann")
        assert reached(early, meeting) == {"ann": 10, "ben": 13}
        assert reached(early, meeting, late) == {"ann": 10, "ben": 13, "cem": 14}

    def test_is_reached_through_an_object(self) -> None:
        used = event(12, "ann", object="cafe: stove")
        seen = event(13, "ben", sights=[{"subject": "cafe: stove"}])
        assert reached(seen) == {"ann": 10}
        assert reached(used, seen) == {"ann": 10, "ben": 13}

    def test_is_reached_by_an_object_that_is_changed(self) -> None:
        seen = event(13, "ben", sights=[{"subject": "cafe: stove"}])
        assert reached(seen, objects=("cafe: stove",)) == {"ben": 13}
