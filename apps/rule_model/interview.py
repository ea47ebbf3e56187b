"""The answer to a question of an interview: a time, or the best of what is known (U1)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from apps.agents.status import Deed, PlannedTime
from apps.interaction.inputs import InterviewInput
from apps.interaction.llm_tasks import ANSWER_CHARACTERS_MAX, InterviewAnswer
from apps.memory.events import MemoryKind, MemoryOrigin
from apps.rule_model.content import patterns, vocabulary
from apps.rule_model.knowledge.gatherings import is_outdated, occasions
from apps.rule_model.knowledge.news import told_in
from apps.rule_model.knowledge.relationships import questions
from apps.rule_model.language import moments
from apps.rule_model.language.grammar import activity_in_first_person, in_first_person, listed
from apps.rule_model.language.subjects import stems_of, straight, with_full_names
from apps.rule_model.model import Chance

UNKNOWN = "I don't know."
# The share of a question's words that a statement must hold, and the most of an answer.
SHARE_MIN, SENTENCES_MAX, STEPS_MAX = 0.6, 2, 5
_DATA = vocabulary("phrases_interview")
_PATTERNS = patterns("interview")
_ASKING = stems_of(_DATA["asking"])
# Sights, deeds and words in passing are no lasting knowledge.
_LASTING = frozenset(map(MemoryOrigin, _DATA["lasting"]))
_TALKS = (MemoryOrigin.CONVERSATION, MemoryOrigin.LEARNED)


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence that the agent knows, who told it, and facts of the memory."""

    core: str
    teller: str = ""
    origin: MemoryOrigin = MemoryOrigin.UNKNOWN
    subject_name: str = ""


@dataclass(frozen=True, slots=True)
class Interviewee:
    """What answers rest on; `statements` are lasting knowledge, best first."""

    inputs: InterviewInput
    me: str
    question: str
    now: datetime
    statements: tuple[Statement, ...]

    def own(self) -> Iterator[Statement]:
        """Yield the statements about the agent itself."""
        return (one for one in self.statements if one.core.startswith(f"{self.me} "))

    def say(self, one: Statement) -> str:
        """Return a statement as a sentence in the first person, with its source."""
        said = moments.spoken(in_first_person(one.core.strip(), self.me), self.now.date())
        clause = _PATTERNS["both"].sub(r"\g<other> and I", said).rstrip(".")
        if one.teller and one.teller != self.me:
            return f"I heard from {one.teller} that {clause}."
        return f"{clause[:1].upper()}{clause[1:]}."

    def tell(self, statements: Iterable[Statement], most: int = SENTENCES_MAX) -> str:
        """Return the first of the statements, each once, "" without one."""
        return " ".join(tuple(dict.fromkeys(map(self.say, statements)))[:most])


def answer(inputs: InterviewInput, chance: Chance) -> InterviewAnswer:  # noqa: ARG001
    """Return an answer from the input alone."""
    one = _interviewee(inputs)
    asked = (rule for name, rule in _RULES.items() if _PATTERNS[name].search(one.question))
    said = next((said for rule in asked if (said := rule(one))), UNKNOWN)
    return InterviewAnswer(answer=said[:ANSWER_CHARACTERS_MAX])


def _interviewee(inputs: InterviewInput) -> Interviewee:
    """Return the interviewed agent with all that it knows, its lasting facts first."""
    me, summary = inputs.agent_name, inputs.summary
    lasting = (*summary.lasting.sentences, *summary.lasting.relationships)
    facts = (text.rstrip(".") for text in lasting if text.startswith(me))
    found = {core: Statement(core, origin=MemoryOrigin.DESCRIPTION) for core in facts}
    for memory in inputs.memories:
        is_plan = memory.kind is MemoryKind.PLAN and memory.scheduled is None
        told = told_in(memory, inputs.now)
        ended = [one for one in occasions([memory], me) if one.attended]
        core = ended[0].told_by(me) if ended else with_full_names(straight(told.core), (me,))
        is_known = memory.origin in _LASTING and not is_plan
        if is_known and not is_outdated(memory, core, inputs.now):
            statement = Statement(core, told.teller, memory.origin, memory.subject_name)
            found.setdefault(core, statement)
    parts = " ".join((summary.core, summary.occupation, summary.feeling)).split()
    for sentence in _PATTERNS["end"].split(with_full_names(straight(" ".join(parts)), (me,))):
        if core := sentence.rstrip("."):
            found.setdefault(core, Statement(core))
    return Interviewee(inputs, me, straight(inputs.question), inputs.now, tuple(found.values()))


def _machine(one: Interviewee) -> str:
    return str(_DATA["disclosure"]).format(me=one.me)


def _introduction(one: Interviewee) -> str:
    """Return name and age, and statements of which those on the occupation come first."""
    own = one.own()
    works = sorted(own, key=lambda it: not _PATTERNS["works"].match(it.core, len(one.me) + 1))
    told = one.tell(works)
    return f"I'm {one.me}, {one.inputs.summary.age} years old. {told}".strip()


def _at_a_time(one: Interviewee) -> str:
    """Return what the agent did or plans at the time of day in the question."""
    days = 1 if "tomorrow" in one.question else -1 if "yesterday" in one.question else 0
    minutes = moments.minute_of(_PATTERNS["at_a_time"].findall(one.question)[0])
    midnight = one.now.replace(hour=0, minute=0, second=0, microsecond=0)
    at = midnight + timedelta(days=days, minutes=minutes % moments.MINUTES_OF_DAY)
    spent = [deed for deed in one.inputs.spent if deed.actions]
    times: Sequence[Deed | PlannedTime] = spent if at <= one.now else one.inputs.plans
    found = next((time for time in times if time.starts <= at < time.ends), None)
    if found is None:
        return UNKNOWN
    be = "I was" if at <= one.now else "I'll be" if found.is_asleep else "I plan to"
    return f"At {_clock(at)} {be} {_doing(one, found)}."


def _done(one: Interviewee) -> str:
    """Return what took most of the time of today or yesterday, "" for nothing."""
    day = one.now.date() - timedelta(days="yesterday" in one.question)
    done = (p for p in one.inputs.spent if p.actions and not p.is_asleep)
    spent = (p for p in done if p.starts.date() == day)
    longest = sorted(spent, key=lambda p: p.starts - p.ends)[:STEPS_MAX]
    return _steps(
        f"from {_clock(p.starts)} to {_clock(p.ends)} I was {_doing(one, p)}"
        for p in sorted(longest, key=lambda p: p.starts)
    )


def _ahead(one: Interviewee) -> str:
    """Return what is planned for the rest of the day, "" for nothing."""
    plans = [p for p in one.inputs.plans if not p.is_asleep and p.ends > one.now]
    return _steps(f"from {_clock(p.starts)} I plan to {_doing(one, p)}" for p in plans)


def _tomorrow(one: Interviewee) -> str:
    """Return what is agreed for tomorrow, or else what the agent itself has dated for it."""
    today, day = one.now.date(), one.now.date() + timedelta(days=1)
    agreed = (m.scheduled for m in one.inputs.memories if m.scheduled and m.scheduled.activity)
    told = dict.fromkeys(
        f"at {_clock(each.starts)} I will {activity_in_first_person(each.activity, one.me)}"
        for each in agreed
        if each.starts is not None and each.starts.date() == day
    )
    own = (each for each in one.own() if moments.when_in(each.core, today).day == day)
    said = f"Tomorrow {'; '.join(told)}." if told else one.tell(own, STEPS_MAX)
    return said or "I have no plan for tomorrow yet."


def _right_now(one: Interviewee) -> str:
    status = one.inputs.status
    if status is None or not status.activity:
        return UNKNOWN
    place = f" I'm at {one.inputs.place}." if "where" in one.question.lower() else ""
    return f"Right now I'm {activity_in_first_person(status.activity, one.me)}.{place}"


def _talked(one: Interviewee) -> str:
    """Return the conversations of the agent: the gist of each, else what it learned there."""
    talks: dict[str, Statement] = {}
    for each in one.statements:
        is_gist = each.origin is MemoryOrigin.CONVERSATION
        if each.origin in _TALKS and (is_gist or each.subject_name not in talks):
            talks[each.subject_name] = each
    return one.tell(talks.values(), STEPS_MAX)


def _whether(one: Interviewee) -> str:
    """Answer a yes-or-no question by what is known of all that it is about."""
    return next((f"Yes. {one.say(it)}" for it in _held(one, 1)), "Not that I know of.")


def _known(one: Interviewee) -> str:
    """Return the best statements on the subject, or that the agent wonders itself."""
    words, wondered = _subject(one), questions(one.inputs.memories, one.me)
    wonders = any(len(words & stems_of(it)) >= SHARE_MIN * len(words) > 0 for it in wondered)
    return one.tell(_held(one, SHARE_MIN)) or (_DATA["wish"] if wonders else "")


def _held(one: Interviewee, least: float) -> list[Statement]:
    """Return the statements with at least this share of the question's words, best first."""
    words, wondered = _subject(one), questions(one.inputs.memories, one.me)
    shares = [(len(words & stems_of(it.core)), it) for it in one.statements if words]
    ranked = sorted(shares, key=lambda share: -share[0])
    found = [it for held, it in ranked if held >= least * len(words)]
    return [each for each in found if not any(asked in each.core for asked in wondered)]


def _subject(one: Interviewee) -> frozenset[str]:
    return stems_of(f"{one.inputs.question_before} {one.question}") - _ASKING


def _steps(steps: Iterable[str]) -> str:
    told = "; ".join(tuple(steps)[:STEPS_MAX])
    return f"{told[:1].upper()}{told[1:]}." if told else ""


def _doing(one: Interviewee, time: PlannedTime | Deed) -> str:
    """Return an activity or a deed with its place, in the first person."""
    if time.is_asleep:
        return "asleep"
    words = listed(time.actions) if isinstance(time, Deed) else time.activity
    activity = activity_in_first_person(words, one.me)
    place = in_first_person(time.place.partition(": ")[0], one.me)
    if not place or place in activity:
        return activity
    return f"{activity} {'on' if place == 'the street' else 'at'} {place}"


def _clock(at: datetime) -> str:
    return moments.short_clock(moments.minute_at(at))


# By the kind of the question: the first one that has an answer gives it.
_RULES = {
    "machine": _machine,
    "introduction": _introduction,
    "at_a_time": _at_a_time,
    "talked": _talked,
    "done": _done,
    "tomorrow": _tomorrow,
    "right_now": _right_now,
    "ahead": _ahead,
    "whether": _whether,
    "known": _known,
}
