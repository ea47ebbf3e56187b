"""The checks of a day that hold in every world, by name."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from apps.evaluation.quality import day_checks, sense_checks
from apps.history import DayRecord
from apps.kernel.language import ENGLISH

TURNED_AWAY_MAX = 8
Faults = Callable[[DayRecord], list[str]]


@dataclass(frozen=True, slots=True)
class QualityCheck:
    """A check of the record of a day; `faults` returns what is wrong, in words.

    `why_not` returns why it says nothing of the record, "" if it does.
    """

    name: str
    faults: Faults
    why_not: Callable[[DayRecord], str] = lambda _: ""


def _of_other_language(record: DayRecord) -> str:
    is_english = record.world.language == ENGLISH
    return "" if is_english else "it reads English words of actions"


def _often_turned_away(record: DayRecord) -> list[str]:
    return day_checks.often_turned_away(record, most=TURNED_AWAY_MAX)


# Impossible behaviour, then behaviour that makes no sense.
QUALITY_CHECKS: Sequence[QualityCheck] = (
    QualityCheck("on-walls", day_checks.on_walls),
    QualityCheck("leaps", day_checks.leaps),
    QualityCheck("in-two-places", day_checks.in_two_places),
    QualityCheck("closed-places-entered", day_checks.entered_closed),
    QualityCheck("stays-after-closing", day_checks.stayed_after_closing),
    QualityCheck("rooms-over-capacity", day_checks.shared_rooms),
    QualityCheck("plans-with-gaps", day_checks.untiled_plans),
    QualityCheck("hours-of-sleep", day_checks.wrong_hours),
    QualityCheck("awake-at-night", sense_checks.sleepless),
    QualityCheck("often-turned-away", _often_turned_away),
    QualityCheck("places-not-kept", sense_checks.unkept),
    QualityCheck("crowded-places", sense_checks.crowded),
    QualityCheck("monotonous-days", sense_checks.monotonous),
    QualityCheck("repeated-actions", sense_checks.repetitive, _of_other_language),
    QualityCheck("meals-missed", day_checks.unfed, day_checks.why_no_meals),
    QualityCheck("meals-too-often", sense_checks.overfed, day_checks.why_no_meals),
    QualityCheck("long-moments", sense_checks.dawdling, _of_other_language),
)
