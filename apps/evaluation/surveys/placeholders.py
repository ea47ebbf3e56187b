"""Whom an agent has talked with, for the placeholders of questions (paper, appendix B)."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from uuid import UUID

from apps import history


def placeholder_names(simulation_id: UUID, *, as_of_tick: int) -> dict[str, Mapping[str, str]]:
    """Return the names for the placeholders by agent, for those that know anybody.

    `other` and `other2` are the first and the last that the agent has talked with by the end of
    the tick, `frequent` and `frequent2` those of the most conversations. An agent that has
    talked with nobody has those it has a relationship with, by slug.
    """
    talks = _talks(simulation_id, as_of_tick)
    slugs = history.slugs_in_simulation(simulation_id, as_of_tick=as_of_tick)
    for agent, other in sorted(
        history.related_pairs(simulation_id, slugs, as_of_tick=as_of_tick)
    ):
        if agent not in talks or not talks[agent].ends:
            talks.setdefault(agent, _Talks()).count[other] += 0
    return {
        agent: {
            name: history.name_of_agent(simulation_id, slug)
            for name, slug in known.chosen().items()
        }
        for agent, known in talks.items()
        if known.count
    }


class _Talks:
    """The partners of an agent in its conversations: how often, and in order of time."""

    def __init__(self) -> None:
        self.count: Counter[str] = Counter()
        self.ends: list[str] = []

    def chosen(self) -> dict[str, str]:
        order = self.ends or sorted(self.count)
        most = sorted(self.count, key=lambda other: (-self.count[other], other))
        return {
            "other": order[0],
            "other2": order[-1],
            "frequent": most[0],
            "frequent2": most[1] if len(most) > 1 else most[0],
        }


def _talks(simulation_id: UUID, as_of_tick: int) -> dict[str, _Talks]:
    rows = history.list_utterances(simulation_id, as_of_tick=as_of_tick)
    found: dict[str, _Talks] = defaultdict(_Talks)
    counted: set[tuple[str, str, str]] = set()
    for agent, to, participants, conversation in rows.order_by("tick", "agent").values_list(
        "agent", "to", "participants", "conversation"
    ):
        for other in {to: None, **dict.fromkeys(participants)}:
            for one, another in ((agent, other), (other, agent)):
                if "" in (one, another) or one == another:
                    continue
                found[one].ends.append(another)
                if (conversation, one, another) not in counted:
                    counted.add((conversation, one, another))
                    found[one].count[another] += 1
    return dict(found)
