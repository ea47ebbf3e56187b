"""The counts of a run's quality as of a tick, without a model."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID
from xml.sax.saxutils import escape

from apps import history
from apps.evaluation.quality.day_checks import QUALITY_CHECKS, QualityCheck
from apps.evaluation.quality.days import DayFigures, day_figures
from apps.evaluation.quality.persona_drift import AgentDrift, persona_drift
from apps.history import AnswerOutcomes, DayRecord, WorldFolders, read_day_record
from apps.memory.events import MemoryKind

_NUMBER = re.compile(r"\d+")


def nameless(texts: Iterable[str], names: Sequence[str]) -> list[str]:
    """Return the texts with one sign for all names."""
    parts = {part for name in names for part in (name, *name.split())}
    if not parts:
        return list(texts)
    ordered = sorted(parts, key=lambda part: (-len(part), part))
    pattern = re.compile(r"\b(?:" + "|".join(map(re.escape, ordered)) + r")\b")
    return [pattern.sub("*", text) for text in texts]


def forms_of(statements: Iterable[str], names: Sequence[str]) -> list[str]:
    """Return the statements with one sign for all names and numbers."""
    return [_NUMBER.sub("#", form) for form in nameless(statements, names)]


def repeated(values: Sequence[Any]) -> int:
    """Return how many of the values occur earlier in the sequence."""
    return len(values) - len(set(values))


FAULTS_SHOWN_MAX = 10
DAY_ENDS = timedelta(days=1, hours=3)
"""A day ends at 3:00 of the next one, when the agents are asleep."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RepetitionCount:
    """How many texts there are, and how many repeat an earlier one but for names."""

    count: int
    repeated: int

    @property
    def repeated_share(self) -> float | None:
        """The share of the repeated ones, 0 to 1; None of nothing."""
        return self.repeated / self.count if self.count else None


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """The number of faults that a check has found, and the first of them in words.

    `left_out` says why it cannot be made of the day, "" if it was.
    """

    name: str
    fault_count: int
    faults: tuple[str, ...]
    left_out: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunQuality:
    """The counts of a run up to the end of a tick, and the checks of its latest whole day.

    `checked_day` is the date of that day, "" before the end of the first day. `agent_days`
    counts the days of all agents that are there. A repeated memory repeats one of the same
    agent; a repeated utterance or reflection one of any agent. `by_day` and `drift` are None
    unless they are requested. `answers` are those of turns, without calls that evaluate the
    run, such as interviews.
    """

    as_of_tick: int
    agents: int
    agent_days: float
    memories: RepetitionCount
    """Repeated are those in the words of an earlier one."""
    utterances: RepetitionCount
    reflections: RepetitionCount
    """Insights; numbers are left out like names."""
    answers: AnswerOutcomes
    answers_by_task: tuple[AnswerOutcomes, ...]
    checked_day: str
    checks: tuple[CheckResult, ...]
    """Impossible or senseless behaviour on that day. A check that the world or its language
    does not support is left out, with the reason.
    """
    by_day: DayFigures | None = None
    drift: tuple[AgentDrift, ...] | None = None

    @property
    def memories_per_agent_day(self) -> float | None:
        """The number of memories for each agent and day, None at the beginning."""
        return self.memories.count / self.agent_days if self.agent_days else None

    @property
    def passed(self) -> int:
        """The number of checks that were made and have no fault."""
        return passed_of(self.checks)

    @property
    def passed_if_checked(self) -> int | None:
        """The same number; None before the end of the first day."""
        return self.passed if self.checks else None

    @property
    def faults(self) -> int | None:
        """The number of faults of all checks; None before the end of the first day."""
        return sum(check.fault_count for check in self.checks) if self.checks else None


def passed_of(checks: Iterable[CheckResult]) -> int:
    """Return how many of the checks were made and have no fault."""
    return sum(not (check.fault_count or check.left_out) for check in checks)


def run_quality(
    simulation_id: UUID, worlds: WorldFolders, *, as_of_tick: int, has_days: bool = False
) -> RunQuality:
    """Return the quality of a run as of the end of the tick.

    :param has_days: whether to count the days that are over, too.
    """
    calendar = history.calendar_of(simulation_id)
    rows = history.list_agents(simulation_id, as_of_tick=as_of_tick)
    names = [row.name for row in rows]
    ticks = sum(as_of_tick - row.joined_tick for row in rows)
    answers, by_task = history.answer_outcomes(
        simulation_id, as_of_tick=as_of_tick, of_turns_only=True
    )
    checked_day, checks = latest_checks(simulation_id, worlds, as_of_tick=as_of_tick)
    memories = history.list_all_memories(simulation_id, as_of_tick=as_of_tick).order_by()
    insights = memories.filter(kind=MemoryKind.REFLECTION)
    said = history.list_utterances(simulation_id, as_of_tick=as_of_tick).order_by()
    texts = nameless(said.values_list("text", flat=True), names)
    statements = forms_of(insights.values_list("description", flat=True), names)
    own = list(memories.values_list("agent", "description"))
    return RunQuality(
        as_of_tick=as_of_tick,
        agents=len(rows),
        agent_days=ticks / calendar.ticks_of(minutes=24 * 60),
        memories=RepetitionCount(count=len(own), repeated=repeated(own)),
        utterances=RepetitionCount(count=len(texts), repeated=repeated(texts)),
        reflections=RepetitionCount(count=len(statements), repeated=repeated(statements)),
        answers=answers,
        answers_by_task=tuple(by_task),
        checked_day=checked_day,
        checks=checks,
        by_day=(
            day_figures(simulation_id, worlds, as_of_tick=as_of_tick) if has_days else None
        ),
        drift=persona_drift(simulation_id, as_of_tick=as_of_tick) if has_days else None,
    )


def latest_checks(
    simulation_id: UUID, worlds: WorldFolders, *, as_of_tick: int
) -> tuple[str, tuple[CheckResult, ...]]:
    """Return the date of the latest day that is over as of the tick, and its checks.

    A day begins at midnight, so that the first one counts only if the simulation began then.
    """
    calendar = history.calendar_of(simulation_id)
    midnight = calendar.start.replace(hour=0, minute=0, second=0)
    first = midnight if midnight == calendar.start else midnight + timedelta(days=1)
    days = (calendar.time_at(as_of_tick) - DAY_ENDS - first) // timedelta(days=1)
    if days < 0:
        return "", ()
    starts = first + days * timedelta(days=1)
    record = read_day_record(
        simulation_id,
        worlds,
        from_tick=calendar.tick_at(starts),
        as_of_tick=calendar.tick_at(starts + DAY_ENDS),
    )
    return f"{starts:%Y-%m-%d}", tuple(_result(check, record) for check in QUALITY_CHECKS)


def _result(check: QualityCheck, record: DayRecord) -> CheckResult:
    left_out = check.why_not(record)
    faults = [] if left_out else check.faults(record)
    shown = tuple(faults[:FAULTS_SHOWN_MAX])
    return CheckResult(
        name=check.name, fault_count=len(faults), faults=shown, left_out=left_out
    )


LABEL = "run quality"
NO_DAY = "no whole day yet"
_GREEN, _YELLOW, _RED, _GREY = "#2e7d32", "#9a6700", "#b3261e", "#5f6368"
_GOOD_SHARE = 0.8
_CHARACTER_WIDTH = 7
_MARGIN = 6
# The length of a text is given, so that the badge looks the same in every font.
_BADGE = """<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="20" \
role="img" aria-label="{title}"><title>{title}</title>\
<rect width="{width}" height="20" rx="3" fill="#3c4043"/>\
<rect x="{split}" width="{right}" height="20" rx="3" fill="{colour}"/>\
<g fill="#fff" font-family="Verdana,sans-serif" font-size="11">\
<text x="{margin}" y="14" textLength="{label_length}">{label}</text>\
<text x="{message_x}" y="14" textLength="{message_length}">{message}</text>\
</g></svg>
"""


def quality_badge(passed: int, checks: int) -> str:
    """Return the badge: green if all checks passed, yellow for most; grey without a check."""
    message = f"{passed}/{checks} checks" if checks else NO_DAY
    label_length, message_length = (len(text) * _CHARACTER_WIDTH for text in (LABEL, message))
    split, right = label_length + 2 * _MARGIN, message_length + 2 * _MARGIN
    return _BADGE.format(
        width=split + right,
        split=split,
        right=right,
        colour=_colour(passed, checks),
        title=escape(f"{LABEL}: {message}"),
        margin=_MARGIN,
        label=LABEL,
        label_length=label_length,
        message=message,
        message_x=split + _MARGIN,
        message_length=message_length,
    )


def _colour(passed: int, checks: int) -> str:
    if not checks:
        return _GREY
    if passed == checks:
        return _GREEN
    return _YELLOW if passed >= _GOOD_SHARE * checks else _RED
