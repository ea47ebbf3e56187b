"""Questions that the latest memories raise, and insights that memories bear out (R2)."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from apps.agents.ties import Standing
from apps.memory.events import MemoryKind, MemoryOrigin
from apps.memory.facts.events import FactKind
from apps.memory.items import MemoryItem
from apps.reflection.dealings import (
    HOURS_MIN,
    NO_SIGN_OF_FEELING,
    TALKS_MIN,
    ClaimKind,
    Frequency,
    Trend,
)
from apps.reflection.inputs import InsightsInput, QuestionsInput
from apps.reflection.llm_tasks.insights import (
    CitedInsight,
    FrequencyClaim,
    Insights,
    LastingChange,
)
from apps.reflection.llm_tasks.questions import SalientQuestions
from apps.reflection.rules import (
    INSIGHT_CHARACTERS_MAX,
    QUESTION_CHARACTERS_MAX,
    QUESTIONS_PER_REFLECTION,
    normalised,
)
from apps.rule_model.knowledge.gatherings import gathering_in
from apps.rule_model.knowledge.pursuits import work_of
from apps.rule_model.knowledge.relationships import relationship
from apps.rule_model.language.moments import is_over
from apps.rule_model.language.subjects import is_about, keys_of, subject_of
from apps.rule_model.language.words import patterns, vocabulary
from apps.rule_model.memory import importance_of
from apps.rule_model.model import Chance

# Fewer than are asked for: a rule that always finds five would find them in anything.
INSIGHTS_MAX = 3
CONCERNS_MAX = 2
EVIDENCE_MAX = 5
TELLERS_OF_NEWS = 2
_DATA = vocabulary("phrases_reflection")
_MUNDANE = patterns("importance")["mundane"]
EVERYDAY, SEEN_PASSING = re.compile(_DATA["everyday"]), re.compile(_DATA["passing"])
# What is mentioned once is chance.
MENTIONS_MIN = 2
# A memory since the last reflection weighs so many times as much.
NEW_WEIGHT = 3
_PASSING = frozenset({MemoryOrigin.PERCEIVED_OBJECT, MemoryOrigin.UTTERANCE})
# Other known deeds by the kind of concern: the key of their words, their origin.
_DEEDS = {
    "agent": ("seen", MemoryOrigin.PERCEIVED_AGENT),
    "work": ("done", MemoryOrigin.OWN_ACTION),
}
# Of several kinds of the same event, the first holds.
_EVENT_KINDS = ("over", "ahead", "heard")
# The dates in them are not those of the gatherings that they name.
_UNDATED = _PASSING | {MemoryOrigin.PLANNED, MemoryOrigin.OVERHEARD}


@dataclass(frozen=True, slots=True)
class Concern:
    """An agent or a thing, and the places (from 1) of the memories about it.

    `kind` is a key of the questions, or of what holds of things; `name` a full name or a phrase
    ("the psalter"); `owner` whose work it is, "" for anything else.
    """

    kind: str
    name: str
    owner: str = ""
    mentions: tuple[int, ...] = ()
    weight: float = 0.0

    def is_in(self, text: str) -> bool:
        """Return whether the text speaks of it."""
        return self.name in text if self.kind == "agent" else is_about(text, keys_of(self.name))


def concerns(inputs: InsightsInput | QuestionsInput) -> list[Concern]:
    """Return what is mentioned often enough, by how important that is.

    What is new weighs more. What was reflected on before weighs less, so that the next thing
    gets its turn.
    """
    agent, memories = inputs.agent_name, inputs.memories
    names = dict.fromkeys(one.subject_name for one in memories)
    agents = (Concern("agent", name) for name in names if name and name != agent)
    events = tuple(_events(inputs))
    over = [one for one in events if one.kind == "over"]
    works = (one for one in _works(agent, memories) if not any(o.is_in(one.name) for o in over))
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
    found: dict[frozenset[str], list[tuple[str, str]]] = {}
    for memory in (one for one in inputs.memories if one.origin not in _UNDATED):
        gathering = gathering_in(memory.description, inputs.now.date())
        if gathering is None:
            continue
        is_own = gathering.host == inputs.agent_name or memory.origin is MemoryOrigin.AGREED
        kind = "ahead" if is_own else "heard"
        kind = "over" if is_over(memory.description, inputs.now) else kind
        found.setdefault(gathering.keys, []).append((kind, gathering.title))
    for same in found.values():
        kinds, titles = zip(*same, strict=True)
        kind = min(kinds, key=_EVENT_KINDS.index)
        yield Concern(kind, max(titles, key=lambda title: (len(title), title)))


def _pursuits(inputs: InsightsInput | QuestionsInput) -> Iterator[Concern]:
    """Yield the activities that are planned for several days.

    The memories are not all there are: they show neither new nor abandoned plans.
    """
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
    weight = sum(
        one.importance * (NEW_WEIGHT if one.formed_at > since else 1) for _, one in found
    )
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
    asked = [question for question in asked if len(question) <= QUESTION_CHARACTERS_MAX]
    always = (template.format(me=me) for template in templates["life"])
    chosen = tuple(dict.fromkeys((*asked, *always)))
    return SalientQuestions(questions=chosen[:QUESTIONS_PER_REFLECTION])


def insights(inputs: InsightsInput, chance: Chance) -> Insights:
    """Return the insights on what the question names, else on what weighs most."""
    found = concerns(inputs)
    named = [concern for concern in found if concern.is_in(inputs.question)]
    concluded: dict[str, CitedInsight] = {}
    for concern in named or found[:CONCERNS_MAX]:
        for insight in _concluded(inputs, concern, chance):
            concluded.setdefault(insight.statement, insight)
    return Insights(insights=tuple(concluded.values())[:INSIGHTS_MAX])


@dataclass(frozen=True, slots=True)
class Finding:
    """A fact about a concern in alternative words, with its claim and its evidence."""

    ways: Sequence[str]
    numbers: Sequence[int]
    of: ClaimKind | None = None
    how_often: Frequency = Frequency.ONCE
    standing: Standing | None = None


# Another known fact: the key of its words, the values of their slots, and its evidence.
End = tuple[str, dict[str, str], int]


def _concluded(
    inputs: InsightsInput, concern: Concern, chance: Chance
) -> Iterator[CitedInsight]:
    """Yield an insight for each finding, with an end; remembered insights are left out."""
    me, other = inputs.agent_name, concern.owner or concern.name
    ends = list(_ends(inputs, concern))
    said = {normalised(one.description) for one in inputs.memories}
    known = {one.name for one in inputs.dealings}
    for at, finding in enumerate(_findings(inputs, concern)):
        names = {"me": me, "other": other, "what": concern.name}
        way = chance.choice(finding.ways, "insight", concern.name, at)
        text, numbers = way.format(**names), [*finding.numbers]
        if ends:
            key, slots, number = chance.choice(ends, "end", concern.name, at)
            end = chance.choice(_DATA["ends"][key], key, at).format(**names, **slots)
            text, numbers = f"{text}, {end}", [number, *numbers]
        text = text[:1].upper() + text[1:]
        if normalised(text) in said or len(text) > INSIGHT_CHARACTERS_MAX:
            continue
        is_claim = finding.of is not None and other in known
        yield CitedInsight(
            statement=text,
            because_of=_evidence(inputs.memories, numbers),
            importance=importance_of(text, MemoryOrigin.INSIGHT),
            replaces=_outdated(inputs, finding, other) if is_claim else None,
            claim=FrequencyClaim(about=other, of=finding.of, how_often=finding.how_often)
            if is_claim
            else None,
            changes=LastingChange(
                kind=FactKind.RELATIONSHIP, other=other, standing=finding.standing
            )
            if is_claim and finding.standing is not None
            else None,
        )


def _findings(inputs: InsightsInput, concern: Concern) -> Iterator[Finding]:
    """Yield the findings on a concern."""
    numbers = concern.mentions
    if concern.kind == "agent":
        yield from _findings_of(inputs, concern)
    else:
        yield Finding(_DATA["things"][concern.kind], numbers)
        told = [n for n in numbers if _at(inputs, n).origin is MemoryOrigin.LEARNED]
        if len({_at(inputs, number).subject_name for number in told}) >= TELLERS_OF_NEWS:
            yield Finding(_DATA["things"]["news"], told)


def _findings_of(inputs: InsightsInput, concern: Concern) -> Iterator[Finding]:
    """Yield the findings on the feelings for another agent and on the talks with it."""
    me, numbers = inputs.agent_name, concern.mentions
    counts = next((one for one in inputs.dealings if one.name == concern.name), None)
    tie = relationship(me, concern.name, inputs.memories)
    known = {"love": tie.in_love, "cold": tie.dislikes, "kin": tie.kin, "warm": tie.is_warm}
    feeling = next((name for name, holds in known.items() if holds), "")
    telling = [n for n in numbers if _at(inputs, n).origin not in NO_SIGN_OF_FEELING]
    if feeling and telling:
        standing = Standing(_DATA["standings"][feeling])
        ways, seen = _DATA["feelings"][feeling], [*telling, *numbers]
        yield Finding(ways, seen, ClaimKind.FEELINGS, standing=standing)
    if counts is None:
        return
    trend, talks = counts.trend(inputs.now), len(counts.talked_at)
    if trend is Trend.NONE:
        if not feeling and len(counts.seen_at) >= HOURS_MIN[Frequency.OFTEN]:
            yield Finding(_DATA["talks"][trend], numbers, ClaimKind.MEETINGS, Frequency.OFTEN)
        return
    earned = (one for one, least in TALKS_MIN.items() if talks >= least)
    how_often = max(earned, key=TALKS_MIN.__getitem__)
    if how_often is Frequency.OFTEN and counts.talk_days > 1 and trend is Trend.SAME:
        yield Finding(_DATA["often"], numbers, ClaimKind.TALKS, how_often)
    elif not feeling or trend in (Trend.MORE, Trend.LESS):
        yield Finding(_DATA["talks"][trend], numbers, ClaimKind.TALKS, how_often)


def _ends(inputs: InsightsInput, concern: Concern) -> Iterator[End]:
    """Yield other facts from the memories of a concern."""
    for number in concern.mentions if concern.kind == "agent" else ():
        memory = _at(inputs, number)
        if memory.origin is MemoryOrigin.LEARNED:
            yield from _heard(inputs, concern, number, memory.description)
        elif memory.origin is MemoryOrigin.AGREED and memory.scheduled is not None:
            ends = memory.scheduled.ends
            key = "ahead" if ends is None or ends > inputs.now else "past"
            yield key, {"agreed": memory.scheduled.activity}, number
    yield from _latest_deed(inputs, concern)


def _heard(inputs: InsightsInput, concern: Concern, number: int, text: str) -> Iterator[End]:
    gathering = gathering_in(text, inputs.now.date())
    if gathering is not None:
        yield "topic", {"topic": gathering.title}, number
    third = subject_of(text.partition(" that ")[2])
    if third not in ("", inputs.agent_name, concern.name):
        yield "third", {"third": third}, number


def _latest_deed(inputs: InsightsInput, concern: Concern) -> Iterator[End]:
    """Yield the latest activity seen of the other one, or the latest step of own work."""
    if concern.kind not in _DEEDS:
        return
    key, origin = _DEEDS[concern.kind]
    doer = concern.name if concern.kind == "agent" else inputs.agent_name
    deeds = [
        (number, memory)
        for number in concern.mentions
        if (memory := _at(inputs, number)).origin is origin
        and memory.subject_name in ("", doer)
    ]
    if deeds:
        number, memory = max(deeds, key=lambda one: one[1].repeated_at or one[1].formed_at)
        doing = memory.description.partition(" is ")[2].rstrip(".")
        if doing and not (_MUNDANE.search(doing) or SEEN_PASSING.match(doing)):
            yield key, {key: doing}, number


def _outdated(inputs: InsightsInput, finding: Finding, other: str) -> int | None:
    """Return the earlier insight of the same other that the finding revises, None for none."""
    if finding.of is not ClaimKind.TALKS:
        return None
    names = {"me": inputs.agent_name, "other": other, "what": ""}
    others = [way for ways in (*_DATA["talks"].values(), _DATA["often"]) for way in ways]
    outdated = tuple(way.format(**names) for way in others if way not in finding.ways)
    return next(
        (n for n in inputs.earlier_insights if _at(inputs, n).description.startswith(outdated)),
        None,
    )


def _at(inputs: InsightsInput, number: int) -> MemoryItem:
    return inputs.memories[number - 1]


def _evidence(memories: Sequence[MemoryItem], numbers: Iterable[int]) -> tuple[int, ...]:
    """Return the numbers of the most telling memories: the first one, then by importance."""

    def rank(number: int) -> tuple[bool, int, int]:
        one = memories[number - 1]
        return one.kind is not MemoryKind.REFLECTION, -one.importance, number

    first, *others = dict.fromkeys(numbers)
    return (first, *sorted(others, key=rank))[:EVIDENCE_MAX]
