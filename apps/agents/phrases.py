"""Phrases of several prompts: statuses, planned times, agreements, acquaintances."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta

from apps.agents.acts import ActKind, ActOutcome
from apps.agents.status import (
    Acquaintance,
    AgentStatus,
    Agreement,
    Deed,
    Departure,
    LastTalk,
    PlannedTime,
    PromiseToTell,
    Standing,
)
from apps.agents.summary import AgentSummary
from apps.kernel.game_time import MINUTES_PER_DAY, format_clock, format_date
from apps.kernel.language import counted, noted, phrase
from apps.kernel.text import join_and
from apps.llm.prompts.values import Data, PromptValue, agent_name, data, data_list, game_date
from apps.llm.tokens import count_fitting

MINUTES_PER_HOUR = 60
NEVER_TALKED = noted("{name} and {other} have not talked before")
NOT_TODAY = noted("{name} and {other} have not talked today")
STANDINGS = {
    Standing.LOVE: noted("{name} loves {other}"),
    Standing.CLOSE: noted("{name} and {other} are close"),
    Standing.FRIENDLY: noted("{name} likes {other}"),
    Standing.COOL: noted("{name} does not like {other} much"),
    Standing.HOSTILE: noted("{name} is hostile to {other}"),
}
ANYBODY = noted("others")
NO_ANSWER = noted("{name} did not answer the telephone")
FAILURES = {
    ActOutcome.NOT_FOUND: noted("{name} has not come"),
    ActOutcome.ASLEEP: noted("{name} is asleep"),
    ActOutcome.NO_ANSWER: NO_ANSWER,
    ActOutcome.BUSY: noted("{name} had no time to talk"),
}
SAID_TODAY = noted("{name} has said to {other} today: {words}")
TOLD = noted("{name} has told {other} before: {news}")
# The own words of the day in a prompt, in tokens, and the fewest words that tell anything.
SAID_TOKENS_MAX, TELLING_WORDS_MIN = 120, 4
LIVE_TOGETHER = noted("{name} and {other} both live in {home}")


def status_text(status: AgentStatus) -> str:
    """Return the status as a sentence: "Klaus Mueller is reading until 5:00 pm"."""
    name, activity = status.agent_name, status.activity
    if not activity:
        return phrase("it is not known what {name} is doing", name=name)
    if status.is_before_talk:
        return phrase(
            "{name} was {activity} before this conversation", name=name, activity=activity
        )
    if status.until is None:
        return doing_text(name, activity)
    until = format_clock(status.until)
    return phrase("{name} is {activity} until {time}", name=name, activity=activity, time=until)


def status_in_brief(status: AgentStatus) -> str:
    """Return the status without its subject: "reading until 5:00 pm".

    It stands where an agent speaks: a small model says a whole sentence of its prompt as it is.
    """
    activity = status.activity
    if not activity:
        return phrase("(not known)")
    if status.is_before_talk:
        return phrase("{activity}, before this conversation", activity=activity)
    if status.until is None:
        return activity
    return phrase("{activity} until {time}", activity=activity, time=format_clock(status.until))


def doing_text(name: str, activity: str) -> str:
    """Return the action of the agent as a sentence: "Klaus Mueller is reading"."""
    return phrase("{name} is {activity}", name=name, activity=activity)


def departure_text(departure: Departure | None, now: datetime) -> str:
    """Return the end of the stay and the next activity elsewhere, as the plan has them.

    It has no subject, as `status_in_brief`. Another room of the same place is no reason to take
    leave.
    """
    if departure is None or not departure.leaves_place:
        return phrase("stays here")
    onward = {"activity": departure.activity, "place": departure.place}
    if departure.starts <= now:
        return phrase("goes on from here: {activity} ({place})", **onward)
    return phrase(
        "stays here until {time}, then: {activity} ({place})",
        time=format_clock(departure.starts),
        **onward,
    )


def object_text(name: str, state: str) -> str:
    """Return the state of an object without a verb: "computers: running"."""
    return phrase("{object}: {state}", object=name, state=state)


def span_text(starts: datetime | int, ends: datetime | int) -> str:
    """Return two times of day: "8:00 am to 9:00 am"."""
    return phrase("{start} to {end}", start=format_clock(starts), end=format_clock(ends))


def planned_time_text(planned: PlannedTime) -> str:
    """Return the time as a line: "8:00 am to 9:00 am: have breakfast (Hobbs Cafe)"."""
    place = f" ({planned.place})" if planned.place else ""
    return f"{span_text(planned.starts, planned.ends)}: {planned.activity}{place}"


def deed_text(deed: Deed) -> str:
    """Return the deed as a line: "8:00 am to 9:00 am: eating an egg (kitchen)"."""
    if not deed.actions:
        return f"{format_clock(deed.starts)}: {'; '.join(deed.failed)}"
    place = f" ({deed.place})" if deed.place else ""
    done = f"{span_text(deed.starts, deed.ends)}: {join_and(deed.actions)}{place}"
    extras = []
    if deed.company:
        extras.append(phrase("there: {names}", names=join_and(deed.company)))
    if deed.missing:
        extras.append(phrase("not there: {names}", names=join_and(deed.missing)))
    return "; ".join((done, *extras, *deed.failed))


def failure_text(
    kind: ActKind, outcome: ActOutcome, name: str, other: str, *, place: str
) -> str:
    """Return what an act of the agent in vain was, as a sentence; "" for one that was done."""
    is_absent = kind is ActKind.TOGETHER and outcome is ActOutcome.NOT_FOUND
    if outcome is ActOutcome.NOT_HERE or is_absent:
        return phrase("{name} is not in {place}", name=other, place=place)
    if outcome is ActOutcome.NOT_FOUND and kind is not ActKind.WAIT_FOR:
        return phrase("{name} did not find {other}", name=name, other=other)
    return phrase(FAILURES.get(outcome, ""), name=other)


def acquaintance_lines(acquaintance: Acquaintance, name: str, other: str) -> tuple[str, ...]:
    """Return what the other agent is to the agent, and when the two last talked, as lines.

    Agents that know each other from before the simulation are not said to have never talked.
    """
    lines = tie_lines(acquaintance, name, other)
    if acquaintance.last_talk is not None:
        lines.append(last_talk_text(acquaintance.last_talk))
    elif lines:
        lines.append(phrase(NOT_TODAY, name=name, other=other))
    return tuple(lines) or (phrase(NEVER_TALKED, name=name, other=other),)


def told_lines(
    acquaintance: Acquaintance, name: str, other: str, *, tokens_max: int = SAID_TOKENS_MAX
) -> list[str]:
    """Return lines with the news that the agent has told the other one, and its words today.

    Of each the latest that fit into so many tokens are kept, and there is no line without any.
    Words of a greeting tell nothing.
    """
    talk = acquaintance.last_talk
    if talk is None:
        return []
    names = {"name": name, "other": other}
    telling = [text for text in talk.said_today if len(text.split()) >= TELLING_WORDS_MIN]
    news = _latest_fitting((text.rstrip(" .") for text in talk.told), tokens_max)
    said = _latest_fitting(telling, tokens_max)
    lines = [phrase(TOLD, news="; ".join(news), **names)] if news else []
    return [*lines, phrase(SAID_TODAY, words=" / ".join(said), **names)] if said else lines


def _latest_fitting(texts: Iterable[str], tokens_max: int) -> list[str]:
    """Return the last of the texts that fit into so many tokens, in order."""
    latest = list(texts)[::-1]
    return latest[: count_fitting(latest, tokens_max)][::-1]


def tie_lines(acquaintance: Acquaintance, name: str, other: str) -> list[str]:
    """Return what the other agent is to the agent, as lines; [] for a stranger."""
    stands = standing_text(acquaintance.standing, name, other)
    lines = [*acquaintance.facts, stands] if stands else list(acquaintance.facts)
    if acquaintance.home:
        lines.append(phrase(LIVE_TOGETHER, name=name, other=other, home=acquaintance.home))
    return lines


def standing_text(standing: Standing | None, name: str, other: str) -> str:
    """Return the attitude of the agent to the other agent, "" for none and a neutral one."""
    words = "" if standing is None else STANDINGS.get(standing, "")
    return phrase(words, name=name, other=other)


def agreement_text(agreement: Agreement) -> str:
    """Return the agreement as a line with its date, times, place and the other agents."""
    place = f" ({agreement.place})" if agreement.place else ""
    return phrase(
        "{date}, {times}: {activity}, agreed with {other}",
        date=format_date(agreement.starts),
        times=span_text(agreement.starts, agreement.ends),
        activity=f"{agreement.activity}{place}",
        other=join_and(agreement.others),
    )


def promise_text(promise: PromiseToTell) -> str:
    """Return the promise as a line: "promised to Ada Park to tell John Lin: ..."."""
    told = promise.to or phrase(ANYBODY)
    promised = phrase(
        "promised to {other} to tell {to}: {what}",
        other=promise.other,
        to=told,
        what=promise.what,
    )
    return overtaken_text(promised, promise.since)


def overtaken_text(planned: str, since: str) -> str:
    """Return what was planned to be said, and what was talked about since, if anything."""
    if not since:
        return planned
    return phrase("{intent} (planned; but since then: {talk})", intent=planned, talk=since)


def last_talk_text(talk: LastTalk) -> str:
    """Return the time of the last conversation of two agents, and its gist if known.

    Earlier talks at this time of day are counted, so that two agents that meet at the same
    minute each day can tell that they have talked then already.
    """
    last = phrase("They last talked {ago}.", ago=_ago(talk.minutes_ago))
    usual = counted(
        "They have talked at this time of day on {count} earlier day.",
        "They have talked at this time of day on {count} earlier days.",
        talk.same_time_days,
    )
    return " ".join(filter(None, (last, talk.gist, usual if talk.same_time_days else "")))


def _ago(minutes: int) -> str:
    if minutes >= MINUTES_PER_DAY:
        return counted("{count} day ago", "{count} days ago", minutes // MINUTES_PER_DAY)
    if minutes >= MINUTES_PER_HOUR:
        return counted("{count} hour ago", "{count} hours ago", minutes // MINUTES_PER_HOUR)
    return counted("{count} minute ago", "{count} minutes ago", max(1, minutes))


NO_OUTLINE = noted("(not made yet)")
# A prompt has the latest deeds of the day, and the most important of the earlier ones.
LATEST_DEEDS_MAX, EARLIER_DEEDS_MAX = 4, 2
# An earlier deed of this importance is more than everyday.
DEED_IMPORTANCE_MIN = 5
# How far ahead the plan is printed where something is decided now. Later appointments are among
# the agreements.
HOURS_AHEAD = 3
# Secrets, intentions and states in a prompt, in tokens.
MIND_TOKENS_MAX = 150


def mind_lines(summary: AgentSummary) -> list[str]:
    """Return what the agent has in mind whenever it talks, as far as the budget goes."""
    lines = list(summary.lasting.in_mind)
    return lines[: count_fitting(lines, MIND_TOKENS_MAX)]


def agent_variables(name: str, summary: AgentSummary | None) -> dict[str, PromptValue]:
    """Return the variables of the agent section; before the first summary it has the name."""
    return {
        "agent_name": agent_name(name),
        "summary": data(name if summary is None else summary.text),
    }


def day_variables(
    day: date, agreements: Sequence[Agreement], promises: Sequence[PromiseToTell] = ()
) -> dict[str, PromptValue]:
    """Return the variables of the day section; promises are listed with the agreements."""
    return {
        "date": game_date(day),
        "agreements": data_list(
            (*map(agreement_text, agreements), *map(promise_text, promises))
        ),
    }


def planned_ahead(
    planned: Iterable[PlannedTime], now: datetime, *, hours: int = HOURS_AHEAD
) -> list[PlannedTime]:
    """Return the planned times that are not over and begin within so many hours.

    What is over may have gone differently: prompts have it from the actions.
    """
    until = now + timedelta(hours=hours)
    return [one for one in planned if one.ends > now and one.starts < until]


def plan_ahead(
    planned: Sequence[PlannedTime], now: datetime, *, hours: int = HOURS_AHEAD
) -> Data:
    """Return the plan of the next hours as a variable of a prompt."""
    if not planned:
        return data(phrase(NO_OUTLINE))
    return data_list(map(planned_time_text, planned_ahead(planned, now, hours=hours)))


def latest_deeds_since(deeds: Sequence[Deed]) -> datetime | None:
    """Return from when on `deed_texts` tells everything, None if it tells nothing."""
    return deeds[-LATEST_DEEDS_MAX:][0].starts if deeds else None


def deed_texts(deeds: Sequence[Deed], coming: Sequence[str] = ()) -> list[str]:
    """Return the latest and the most important deeds of the day as lines, in order.

    The last line has the `coming` actions of the hour, which are planned and not begun.
    """
    latest, earlier = deeds[-LATEST_DEEDS_MAX:], deeds[:-LATEST_DEEDS_MAX]
    important = [one for one in earlier if one.importance >= DEED_IMPORTANCE_MIN]
    kept = sorted(important, key=lambda one: one.importance)[-EARLIER_DEEDS_MAX:]
    lines = [deed_text(one) for one in deeds if one in latest or one in kept]
    if coming:
        lines.append(phrase("not yet: {actions}", actions=join_and(coming)))
    return lines
