"""Questions that the latest memories raise, and insights that memories bear out (R2)."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from apps.agents.status import Standing
from apps.memory.events import FactKind, MemoryKind, MemoryOrigin, ScheduledActivity
from apps.memory.items import MemoryItem
from apps.reflection import dealings, rules
from apps.reflection.dealings import ClaimKind, Frequency, Trend
from apps.reflection.inputs import InsightsInput, QuestionsInput
from apps.reflection.llm_tasks import insights as task
from apps.reflection.llm_tasks.questions import SalientQuestions
from apps.rule_model.content import patterns, vocabulary
from apps.rule_model.knowledge.gatherings import gathering_in, written_when
from apps.rule_model.knowledge.relationships import Closeness, relationship, work_of
from apps.rule_model.language.grammar import listed
from apps.rule_model.language.moments import is_over
from apps.rule_model.language.subjects import is_about, keys_of, subject_of
from apps.rule_model.memory import importance_of
from apps.rule_model.model import Chance

# Fewer than are asked for: a rule that always finds five would find them in anything.
INSIGHTS_MAX = 3  # on a question
CONCERNS_MAX, TELLERS_OF_NEWS = 2, 2
EVIDENCE_MAX = 5
_DATA = vocabulary("phrases_reflection")
_MUNDANE = patterns("importance")["mundane"]
PASSING = re.compile(_DATA["passing"])
# Another known fact: the key of its words, the values of their slots, and its evidence.
End = tuple[str, dict[str, str], int]

EVERYDAY = re.compile(_DATA["everyday"])
# What is mentioned once is chance.
MENTIONS_MIN = 2
# A memory since the last reflection weighs so many times as much.
NEW_WEIGHT = 3
_PASSING = frozenset({MemoryOrigin.PERCEIVED_OBJECT, MemoryOrigin.UTTERANCE})
# Of several kinds of the same event, the first holds.
_EVENT_KINDS = ("over", "ahead", "heard")
# The dates in them are not those of the gatherings that they name.
_UNDATED = _PASSING | frozenset(map(MemoryOrigin, _DATA["undated"].split()))


@dataclass(frozen=True, slots=True)
class Concern:
    """An agent or a thing, and the places (from 1) of the memories about it.

    `kind` is a key of the questions, or of what holds of things; `name` a full name or a phrase
    ("the psalter"); `owner` whose work it is, `when` the time of an event, "" for others.
    """

    kind: str
    name: str
    owner: str = ""
    mentions: tuple[int, ...] = ()
    weight: float = 0.0
    when: str = ""

    def is_in(self, text: str) -> bool:
        """Return whether the text speaks of it."""
        return self.name in text if self.kind == "agent" else is_about(text, keys_of(self.name))


def concerns(inputs: InsightsInput | QuestionsInput) -> list[Concern]:
    """Return what is mentioned often enough, by how important that is.

    What is new weighs more; what was reflected on before weighs less.
    """
    agent, memories = inputs.agent_name, inputs.memories
    names = dict.fromkeys(one.subject_name for one in memories)
    agents = (Concern("agent", name) for name in names if name and name != agent)
    events = tuple(_events(inputs))
    works = (it for it in _works(agent, memories) if not any(o.is_in(it.name) for o in events))
    things = (*works, *events, *_pursuits(inputs))
    weighed = [_weighed(one, inputs) for one in dict.fromkeys((*agents, *things))]
    found = [concern for concern in weighed if len(concern.mentions) >= MENTIONS_MIN]
    return sorted(found, key=lambda one: -one.weight)


def _works(agent: str, memories: Sequence[MemoryItem]) -> Iterator[Concern]:
    lasting = [one for one in memories if one.origin not in _PASSING]
    for owner in dict.fromkeys((agent, *(one.subject_name for one in memories))):
        for work in work_of(owner, lasting) if owner else ():
            thing = work.removeprefix(f"{owner}'s ").partition(" at ")[0]
            kind = "work" if owner == agent else "others_work"
            yield Concern(kind, f"the {thing}", owner)


def _events(inputs: InsightsInput | QuestionsInput) -> Iterator[Concern]:
    """Yield the gatherings in the memories: over, ahead for the agent, or only heard of."""
    found: dict[frozenset[str], list[tuple[str, str, str]]] = {}
    for memory in (one for one in inputs.memories if one.origin not in _UNDATED):
        gathering = gathering_in(memory.description, inputs.now.date())
        if gathering is None:
            continue
        is_own = gathering.host == inputs.agent_name or memory.origin is MemoryOrigin.AGREED
        is_past = is_over(memory.description, inputs.now)
        kind = "over" if is_past else "ahead" if is_own else "heard"
        day = written_when(gathering.when) if gathering.when.day else ""
        found.setdefault(gathering.keys, []).append((kind, gathering.title, day and f" {day}"))
    for kinds, titles, days in (zip(*same, strict=True) for same in found.values()):
        kind = min(kinds, key=_EVENT_KINDS.index)
        title = max(titles, key=lambda name: (len(name), name))
        if kind != "ahead" or any(days):  # without a day it may be over
            yield Concern(kind, title, when=max(days))


def _pursuits(inputs: InsightsInput | QuestionsInput) -> Iterator[Concern]:
    """Yield the activities that are planned for several days."""
    # The memories are not all there are: they show neither new nor abandoned plans.
    days: dict[str, set[date]] = {}
    for memory in inputs.memories:
        plan = memory.scheduled if memory.origin is MemoryOrigin.PLANNED else None
        if plan is not None and plan.starts and not EVERYDAY.search(plan.activity):
            days.setdefault(plan.activity, set()).add(plan.starts.date())
    for activity, planned in days.items():
        if len(planned) >= MENTIONS_MIN:
            yield Concern("kept_up", activity)


def _weighed(concern: Concern, inputs: InsightsInput | QuestionsInput) -> Concern:
    found = [
        (number, one)
        for number, one in enumerate(inputs.memories, start=1)
        if one.subject_name == concern.name or concern.is_in(one.description)
    ]
    thought_of = sum(one.kind is MemoryKind.REFLECTION for _, one in found)
    since = inputs.since or inputs.now
    weight = sum(m.importance * (NEW_WEIGHT if m.formed_at > since else 1) for _, m in found)
    numbers = tuple(number for number, _ in found)
    return replace(concern, mentions=numbers, weight=weight / (1 + thought_of))


def questions(inputs: QuestionsInput, chance: Chance) -> SalientQuestions:
    """Return questions on what weighs most, then such as anybody may ask."""
    me, templates = inputs.agent_name, _DATA["questions"]
    asked = [
        chance.choice(templates[one.kind], one.kind, one.name).format(
            me=me, other=one.name, what=one.name
        )
        for one in concerns(inputs)
        if one.kind in templates
    ]
    always = (template.format(me=me) for template in templates["life"])
    found = dict.fromkeys((*asked, *always))
    chosen = tuple(text for text in found if len(text) <= rules.QUESTION_CHARACTERS_MAX)
    return SalientQuestions(questions=chosen[: rules.QUESTIONS_PER_REFLECTION])


def insights(inputs: InsightsInput, chance: Chance) -> task.Insights:
    """Return the insights on what each question names, else on what weighs most."""
    found = concerns(inputs)
    concluded: dict[str, task.CitedInsight] = {}
    for number, question in enumerate(inputs.questions, start=1):
        named = [concern for concern in found if concern.is_in(question.text)]
        of_question = {
            insight.statement: insight
            for concern in named or found[:CONCERNS_MAX]
            for insight in _concluded(inputs, number, concern, chance)
        }
        new = [statement for statement in of_question if statement not in concluded]
        concluded |= {statement: of_question[statement] for statement in new[:INSIGHTS_MAX]}
    return task.Insights(insights=tuple(concluded.values()))


@dataclass(frozen=True, slots=True)
class Finding:
    """A fact about a concern in alternative words, with its claim and its evidence.

    A fact that needs an end is an insight only with another fact behind it.
    """

    ways: Sequence[str]
    numbers: Sequence[int]
    of: ClaimKind | None = None
    how_often: Frequency = Frequency.ONCE
    standing: Standing | None = None
    slots: Mapping[str, str] = field(default_factory=dict)
    needs_end: bool = False


def _concluded(
    inputs: InsightsInput, question: int, concern: Concern, chance: Chance
) -> Iterator[task.CitedInsight]:
    """Yield an insight for each finding, with an end; remembered insights are left out."""
    me, other = inputs.agent_name, concern.owner or concern.name
    ends = list(_ends(inputs, concern))
    said = {rules.normalised(one.description) for one in inputs.memories}
    concluded = [inputs.memories[n - 1].description for n in inputs.earlier_insights]
    for at, finding in enumerate(_findings(inputs, concern)):
        what = {"what": _as_own(concern.name, me), "when": concern.when}
        names = {"me": me, "other": other, **what, **finding.slots}
        ways = tuple(way.format(**names) for way in finding.ways)
        new = [one for one in ends if not _is_in(one, names, concluded)]
        is_known = any(one.startswith(_capitals(ways)) for one in concluded)
        if not new and (is_known or finding.needs_end):
            continue  # it holds already, in other words at most, or says nothing by itself
        text, numbers = chance.choice(ways, "insight", concern.name, at), [*finding.numbers]
        if new:
            key, slots, number = chance.choice(new, "end", concern.name, at)
            end = chance.choice(_DATA["ends"][key], key, at).format(**names, **slots)
            text, numbers = f"{text}, {end}", [number, *numbers]
        [text] = _capitals([text])
        concluded.append(text)  # another finding ends in other words
        if rules.normalised(text) in said or len(text) > rules.INSIGHT_CHARACTERS_MAX:
            continue
        is_claim = finding.of is not None and any(d.name == other for d in inputs.dealings)
        yield task.CitedInsight(
            question=question,
            statement=text,
            because_of=_evidence(inputs.memories, numbers),
            importance=importance_of(text, MemoryOrigin.INSIGHT),
            replaces=_outdated(inputs, concern, finding, names),
            claim=task.FrequencyClaim(about=other, of=finding.of, how_often=finding.how_often)
            if is_claim
            else None,
            changes=task.LastingChange(
                kind=FactKind.RELATIONSHIP, other=other, standing=finding.standing
            )
            if is_claim and finding.standing is not None
            else None,
        )


def _findings(inputs: InsightsInput, concern: Concern) -> Iterator[Finding]:
    numbers = concern.mentions
    if concern.kind == "agent":
        yield from _findings_of(inputs, concern)
        return
    told = [n for n in numbers if _at(inputs, n).origin is MemoryOrigin.LEARNED]
    tellers = dict.fromkeys(_at(inputs, number).subject_name for number in told)
    if concern.kind != "heard":
        yield Finding(_DATA["things"][concern.kind], numbers)
    elif "" not in tellers and tellers:
        slots = {"tellers": listed(list(tellers))}
        yield Finding(_DATA["things"]["heard"], [*told, *numbers], slots=slots)
    if len(tellers) >= TELLERS_OF_NEWS:
        yield Finding(_DATA["things"]["news"], told)


def _findings_of(inputs: InsightsInput, concern: Concern) -> Iterator[Finding]:
    """Yield the findings on the feelings for another agent and on the talks with it."""
    me, numbers = inputs.agent_name, concern.mentions
    counts = next((one for one in inputs.dealings if one.name == concern.name), None)
    tie = relationship(me, concern.name, inputs.memories)
    known = {"love": tie.in_love, "cold": tie.dislikes, "kin": tie.kin, "warm": tie.is_warm}
    feeling = next((name for name, holds in known.items() if holds), "")
    telling = [n for n in numbers if _at(inputs, n).origin not in dealings.NO_SIGN_OF_FEELING]
    if feeling and telling:
        standing = Standing(_DATA["standings"][feeling])
        ways, seen = _DATA["feelings"][feeling], [*telling, *numbers]
        yield Finding(ways, seen, ClaimKind.FEELINGS, standing=standing)
    if counts is None or not counts.talked_at:
        return
    trend, talks = counts.trend(inputs.now), len(counts.talked_at)
    earned = (one for one, least in dealings.TALKS_MIN.items() if talks >= least)
    how_often = max(earned, key=dealings.TALKS_MIN.__getitem__)
    if how_often is Frequency.OFTEN and counts.talk_days > 1 and trend is Trend.SAME:
        yield Finding(_DATA["often"], numbers, ClaimKind.TALKS, how_often)
    elif not feeling or trend in (Trend.MORE, Trend.LESS):
        is_known = trend is Trend.FIRST and tie.closeness is not Closeness.STRANGER
        is_missed = trend is Trend.LESS and feeling not in ("", "cold")
        ways = _DATA["talks"]["again" if is_known else "missed" if is_missed else trend]
        yield Finding(ways, numbers, ClaimKind.TALKS, how_often, needs_end=is_known)


def _ends(inputs: InsightsInput, concern: Concern) -> Iterator[End]:
    """Yield other facts from the memories of a concern."""
    for number in concern.mentions if concern.kind == "agent" else ():
        memory = _at(inputs, number)
        if memory.origin is MemoryOrigin.LEARNED:
            yield from _heard(inputs, concern, number, memory.description)
        elif memory.scheduled is not None:
            yield from _settled(inputs, concern, number, memory.scheduled)
    yield from _latest_deed(inputs, concern)


def _settled(
    inputs: InsightsInput, concern: Concern, number: int, settled: ScheduledActivity
) -> Iterator[End]:
    """Yield an agreement with the other one that is ahead, or at which both were."""
    origin, me = _at(inputs, number).origin, inputs.agent_name
    if origin is MemoryOrigin.AGREED and (settled.ends is None or settled.ends > inputs.now):
        key = "guest" if settled.activity.startswith("host ") else "ahead"
        yield key, {"agreed": _as_own(settled.activity.removeprefix("host "), me)}, number
    elif origin is MemoryOrigin.ENDED and concern.name in settled.present:
        gathering = gathering_in(settled.activity, inputs.now.date())
        if gathering is not None:
            yield "shared", {"shared": _as_own(gathering.title, me)}, number


def _as_own(what: str, me: str) -> str:
    """Return what is the agent's own without its name: "the harvest supper"."""
    return what.replace(f"{me}'s ", "the ")


def _capitals(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(text[:1].upper() + text[1:] for text in texts)


def _heard(inputs: InsightsInput, concern: Concern, number: int, text: str) -> Iterator[End]:
    gathering = gathering_in(text, inputs.now.date())
    if gathering is not None:
        yield "topic", {"topic": _as_own(gathering.title, inputs.agent_name)}, number
    told = text.partition(" that ")[2].rstrip(".")
    subject = subject_of(told)
    if subject == concern.name and gathering is None:
        yield "told", {"told": told}, number
    elif subject not in ("", inputs.agent_name, concern.name):
        yield "third", {"third": subject}, number


def _latest_deed(inputs: InsightsInput, concern: Concern) -> Iterator[End]:
    """Yield the latest step of own work."""
    deeds = [
        (number, memory)
        for number in (concern.mentions if concern.kind == "work" else ())
        if (memory := _at(inputs, number)).origin is MemoryOrigin.OWN_ACTION
        and memory.subject_name in ("", inputs.agent_name)
    ]
    if deeds:
        number, memory = max(deeds, key=lambda one: one[1].repeated_at or one[1].formed_at)
        doing = memory.description.partition(" is ")[2].rstrip(".")
        if doing and not (_MUNDANE.search(doing) or PASSING.match(doing)):
            yield "done", {"done": doing}, number


def _is_in(end: End, names: Mapping[str, str], concluded: Sequence[str]) -> bool:
    """Return whether an earlier insight ends so, in whatever words."""
    key, slots, _ = end
    texts = [way.format(**names, **slots) for way in _DATA["ends"][key]]
    return any(text in one for text in texts for one in concluded)


def _outdated(
    inputs: InsightsInput, concern: Concern, finding: Finding, names: Mapping[str, str]
) -> int | None:
    """Return the earlier insight that the finding revises, None for none."""
    rows = [_DATA["things"]["ahead"]] if concern.kind == "over" else []
    if finding.of is ClaimKind.TALKS:
        rows = [*_DATA["talks"].values(), _DATA["often"]]
    ways = [way.format(**names) for row in rows for way in row if way not in finding.ways]
    outdated = _capitals(ways)
    earlier = ((n, _at(inputs, n).description) for n in inputs.earlier_insights)
    return next((n for n, said in earlier if said.startswith(outdated)), None)


def _at(inputs: InsightsInput, number: int) -> MemoryItem:
    return inputs.memories[number - 1]


def _evidence(memories: Sequence[MemoryItem], numbers: Iterable[int]) -> tuple[int, ...]:
    """Return the first number, then those of reflections, of what has a time, by importance."""

    def rank(number: int) -> tuple[bool, bool, int, int]:
        one = memories[number - 1]
        is_reflection = one.kind is MemoryKind.REFLECTION
        return not is_reflection, one.scheduled is None, -one.importance, number

    first, *others = dict.fromkeys(numbers)
    return (first, *sorted(others, key=rank))[:EVIDENCE_MAX]
