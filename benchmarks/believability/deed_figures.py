"""Whether deeds that need others are done with them."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from apps.agents.track import Action
from apps.evaluation.quality.days import Series
from apps.world.norms import keepers_of
from benchmarks.believability.word_lists import NOT_SERVING, TOGETHER
from tools.day_figures.daily_shares import DailyShare
from tools.day_figures.run_record import RunRecord
from tools.day_figures.word_lists import SERVING, words_of

JOINT_SHARE = 0.5
LOOKS = 10
SERVED_WITHIN_MINUTES = 1
Done = tuple[str, Action, int]


def deed_figures(run: RunRecord) -> Series:
    """Return the figures of joint acts and of customers by day."""
    done = list(done_actions(run))
    return joint_figures(run, done) | together_figures(run, done) | serving_figures(run, done)


def done_actions(run: RunRecord) -> Iterator[Done]:
    """Yield (agent, action, first tick after it) of what is done, walks and sleep left out."""
    for agent, actions in run.actions.items():
        ends = [*(after.from_tick for _, after in pairwise(actions)), run.days.ends]
        for action, end in zip(actions, ends, strict=True):
            if not action.towards and not action.asleep and end > action.from_tick:
                yield agent, action, end


def joint_figures(run: RunRecord, done: Sequence[Done]) -> Series:
    """Return the share of the begun actions with participants that are truly joint.

    An action is truly joint if each agent of its `with_agents` is in its area at JOINT_SHARE
    of LOOKS looks from its beginning to its end.
    """
    partners = {
        (row.agent, row.number): row.with_agents
        for row in run.plans
        if row.level == "action" and row.with_agents
    }
    joint = DailyShare(run.days)
    for agent, action, end in done:
        others = partners.get((agent, action.plan_item))
        if others:
            looks = looks_of(action, end)
            there = [
                sum(run.area_at(other, tick) == action.area for tick in looks) / len(looks)
                for other in others
            ]
            joint.add(action.from_tick, hit=min(there) >= JOINT_SHARE)
    return {
        "actions with participants": joint.counted(),
        "actions with participants that are joint, %": joint.percent(),
    }


def together_figures(run: RunRecord, done: Sequence[Done]) -> Series:
    """Return the share of actions said to be "together" beside another one of the kind.

    Another agent does an action that begins with the same word ("eating") in the same area
    for some of the time.
    """
    alike: dict[tuple[str, str], list[Done]] = {}
    for one in done:
        alike.setdefault((one[1].area, first_word(one[1])), []).append(one)
    joint = DailyShare(run.days)
    for agent, action, end in done:
        if TOGETHER.search(action.description):
            hit = any(
                other != agent and theirs.from_tick < end and action.from_tick < until
                for other, theirs, until in alike[action.area, first_word(action)]
            )
            joint.add(action.from_tick, hit=hit)
    return {
        'actions "together"': joint.counted(),
        'actions "together" with somebody who does it too, %': joint.percent(),
    }


def first_word(action: Action) -> str:
    """Return the verb of the action: "eating"."""
    return next(iter(words_of(action.description)), "")


def serving_figures(run: RunRecord, done: Sequence[Done]) -> Series:
    """Return the share of actions for customers or guests with one in the place.

    Counted are the actions of a keeper in a place that he or she keeps, with a word of
    `SERVING` outside of the names of objects ("customer seating"). A customer is an agent
    that does not keep the place and is in it at one of LOOKS looks, up to a minute before and
    after.
    """
    kept = {slug: person.name for slug, person in run.agents.items()}
    served = DailyShare(run.days)
    margin = run.days.calendar.ticks_of(minutes=SERVED_WITHIN_MINUTES)
    objects = {node.name for node in run.tree.objects if SERVING.search(node.name)}
    for agent, action, end in done:
        text = action.description
        for name in objects:
            text = text.replace(name, " ")
        if not action.area or not SERVING.search(text) or NOT_SERVING.search(text):
            continue
        keepers = keepers_of(run.tree, action.area)
        if kept.get(agent) in keepers:
            guests = [slug for slug, name in kept.items() if name not in keepers]
            looks = looks_of(action, end, margin=margin)
            served.add(action.from_tick, hit=is_visited(run, action.area, guests, looks))
    return {
        "actions for a customer or guest": served.counted(),
        "actions for a customer or guest with one in the place, %": served.percent(),
    }


def is_visited(run: RunRecord, area: str, guests: Sequence[str], looks: Sequence[int]) -> bool:
    """Return whether one of the agents is in the place of the area at one of the ticks."""
    place = run.tree.place_of(area)
    return any(
        inside and run.tree.place_of(inside) == place
        for tick in looks
        for inside in (run.area_at(guest, tick) for guest in guests)
    )


def looks_of(action: Action, end: int, *, margin: int = 0) -> list[int]:
    """Return up to LOOKS ticks from the action's beginning to its end, evenly spread."""
    first, last = max(0, action.from_tick - margin), end - 1 + margin
    step = max(1, (last - first) // (LOOKS - 1))
    return list(range(first, last + 1, step))
