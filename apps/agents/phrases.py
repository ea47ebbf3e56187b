"""English of several prompts: statuses, planned times, agreements, acquaintances."""

from apps.agents.status import Acquaintance, AgentStatus, Agreement, LastTalk, PlannedTime
from apps.kernel.game_time import MINUTES_PER_DAY, format_clock, format_date

MINUTES_PER_HOUR = 60
NEVER_TALKED = "The two have not talked before."
LIVE_TOGETHER = "The two live together: {home}."


def status_text(status: AgentStatus) -> str:
    """Return the status as a sentence: "Klaus Mueller is reading until 5:00 pm"."""
    name, activity = status.agent_name, status.activity
    if not activity:
        return f"it is not known what {name} is doing"
    if status.is_before_talk:
        return f"{name} was {activity} before this conversation"
    until = f" until {format_clock(status.until)}" if status.until is not None else ""
    return f"{name} is {activity}{until}"


def planned_time_text(planned: PlannedTime) -> str:
    """Return the time as a line: "8:00 am to 9:00 am: have breakfast (Hobbs Cafe)"."""
    times = f"{format_clock(planned.starts)} to {format_clock(planned.ends)}"
    place = f" ({planned.place})" if planned.place else ""
    return f"{times}: {planned.activity}{place}"


def acquaintance_lines(acquaintance: Acquaintance) -> tuple[str, ...]:
    """Return what the other agent is to the agent, and when the two last talked, as lines.

    Agents that know each other from before the simulation are not said to have never talked.
    """
    lines = list(acquaintance.facts)
    if acquaintance.home:
        lines.append(LIVE_TOGETHER.format(home=acquaintance.home))
    if acquaintance.last_talk is not None:
        lines.append(last_talk_text(acquaintance.last_talk))
    return tuple(lines) or (NEVER_TALKED,)


def agreement_text(agreement: Agreement) -> str:
    """Return the agreement as a line with its date, times, place and the other agent."""
    times = f"{format_clock(agreement.starts)} to {format_clock(agreement.ends)}"
    place = f" ({agreement.place})" if agreement.place else ""
    return (
        f"{format_date(agreement.starts)}, {times}: {agreement.activity}{place}, "
        f"agreed with {agreement.other}"
    )


def last_talk_text(talk: LastTalk) -> str:
    """Return the time of the last conversation of two agents, and its gist if known."""
    return f"They last talked {_ago(talk.minutes_ago)}. {talk.gist}".rstrip()


def _ago(minutes: int) -> str:
    for unit, length in (("day", MINUTES_PER_DAY), ("hour", MINUTES_PER_HOUR)):
        if minutes >= length:
            return _counted(minutes // length, unit)
    return _counted(max(1, minutes), "minute")


def _counted(count: int, unit: str) -> str:
    return f"{count} {unit} ago" if count == 1 else f"{count} {unit}s ago"
