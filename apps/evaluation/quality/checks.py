"""The checks of a day that hold in every world, by name."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from apps.evaluation.quality import day_checks, sense_checks
from apps.evaluation.quality.day_record import DayRecord
from apps.kernel.language import ENGLISH

TURNED_AWAY_MAX = 8
Faults = Callable[[DayRecord], list[str]]


@dataclass(frozen=True, slots=True)
class QualityCheck:
    """A check of the record of a day; `faults` returns what is wrong, in words.

    With `is_english` it reads words of actions, so that it holds in English worlds only.
    """

    name: str
    faults: Faults
    is_english: bool = False


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
    QualityCheck("repeated-actions", sense_checks.repetitive, is_english=True),
    QualityCheck("meals-missed", day_checks.unfed, is_english=True),
    QualityCheck("meals-too-often", sense_checks.overfed, is_english=True),
    QualityCheck("long-moments", sense_checks.dawdling, is_english=True),
)


def checks_of(record: DayRecord) -> list[QualityCheck]:
    """Return the checks that apply to the language of the world."""
    is_english = record.world.language == ENGLISH
    return [one for one in QUALITY_CHECKS if is_english or not one.is_english]
