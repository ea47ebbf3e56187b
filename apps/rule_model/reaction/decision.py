"""Decides whether somebody goes on or reacts: danger first, people last (stand-in)."""

from dataclasses import replace

from apps.reaction.chains.decision import Decision, MomentToJudge, go_on
from apps.rule_model.model import Chance
from apps.rule_model.reaction.company import to_talk
from apps.rule_model.reaction.mishaps import about_damage, about_danger, about_obstacle
from apps.rule_model.reading.names import straight


def decision(given: MomentToJudge, chance: Chance) -> Decision:
    """Return the reaction to what was perceived; most of it changes nothing."""
    given = _straightened(given)
    for weigh in (about_danger, about_damage, about_obstacle, to_talk):
        reaction = weigh(given, chance)
        if reaction is not None:
            return reaction
    return go_on(given)


def _straightened(given: MomentToJudge) -> MomentToJudge:
    return replace(
        given,
        summary=straight(given.summary),
        status=straight(given.status),
        observed=tuple(
            replace(seen, sentence=straight(seen.sentence), last_talk=straight(seen.last_talk))
            for seen in given.observed
        ),
        memories=tuple(map(straight, given.memories)),
    )
