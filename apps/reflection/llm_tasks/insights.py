"""LLM task: insights on the questions of a reflection, from their memories (R2)."""

from collections.abc import Iterator, Mapping
from typing import Annotated

from pydantic import Field

from apps.agents.phrases import agent_variables, standing_text
from apps.agents.status import Standing, TieKind
from apps.kernel.game_time import format_short_day
from apps.kernel.language import counted, phrase
from apps.llm.answers.answer_options import OneOf, Options
from apps.llm.answers.decisions import Fact
from apps.llm.answers.task_answer import TaskAnswer
from apps.llm.prompts.sets import task_templates
from apps.llm.prompts.values import (
    PromptValue,
    Trusted,
    data_list,
    game_time,
    joined,
    number,
    sentence,
)
from apps.llm.task import LLMTask
from apps.memory.events import FactKind
from apps.memory.llm_tasks.facts import require_until, until_field
from apps.memory.llm_tasks.importance import DATED, importance_field
from apps.memory.prompt_lines import memory_texts
from apps.memory.rules import MEMORIES_PER_PROMPT_MAX
from apps.reflection.dealings import ClaimKind, Dealings, Frequency
from apps.reflection.inputs import AskedQuestion, HeldFact, InsightsInput
from apps.reflection.rules import (
    INSIGHT_CHARACTERS_MAX,
    INSIGHTS_PER_QUESTION_MAX,
    QUESTIONS_PER_REFLECTION,
    normalised,
    resolve_citations,
)

AGENTS = "agents"  # the option set of the agents with counts in the prompt
OTHERS = "others"  # the same and "", for a change that is not of a relationship
FACTS = "facts"  # the keys of the occupation and the pursuits in the prompt, and ""


class FrequencyClaim(TaskAnswer):
    """What an insight says of the agent and another one that can be counted."""

    about: Annotated[str, OneOf(AGENTS)] = Field(description="the full name of the other one")
    of: ClaimKind = Field(description="what it claims: talks, meetings, or feelings")
    how_often: Frequency = Field(
        default=Frequency.ONCE, description="how often, in the sense of its words"
    )


class LastingChange(TaskAnswer):
    """What an insight changes in what lasts about the agent."""

    kind: FactKind
    revises: Annotated[str, OneOf(FACTS)] = Field(
        default="",
        description="the key of the occupation or pursuit that it revises or ends; "
        '"" for a new one and for a relationship',
    )
    other: Annotated[str, OneOf(OTHERS)] = Field(
        default="", description='the other one of a relationship, "" for anything else'
    )
    tie: TieKind | None = Field(default=None, description="if the other is something else now")
    standing: Standing | None = Field(
        default=None, description="how the person stands to the other"
    )
    until: str = until_field()
    ends: bool = Field(default=False, description="whether it is no longer so")


class CitedInsight(TaskAnswer):
    """An insight with the statements that it follows from."""

    question: int = Field(description="the number of the question")
    statement: str = Field(
        min_length=1,
        max_length=INSIGHT_CHARACTERS_MAX,
        description=f"one sentence in the third person, without the numbers; {DATED}",
    )
    because_of: tuple[int, ...] = Field(
        max_length=MEMORIES_PER_PROMPT_MAX,
        description="the numbers of the statements that it follows from, most telling first",
    )
    importance: int = importance_field("of the insight")
    replaces: int | None = Field(
        default=None,
        description="the number of an earlier insight that no longer holds as it stands, and "
        "that this one revises",
    )
    claim: FrequencyClaim | None = Field(
        default=None,
        description="given if it says how often two people talk or meet, or what they feel for "
        "each other; it is checked against the counts",
    )
    changes: LastingChange | None = Field(
        default=None,
        description="only if it changes the occupation, a pursuit of weeks or a relationship "
        "for good",
    )


class Insights(TaskAnswer):
    """The insights, possibly none."""

    insights: tuple[CitedInsight, ...] = Field(
        max_length=INSIGHTS_PER_QUESTION_MAX * QUESTIONS_PER_REFLECTION
    )


def no_insight(inputs: InsightsInput) -> Insights:  # noqa: ARG001 (a fallback's signature)
    """Return no insights: the named fallback."""
    return Insights(insights=())


def _variables(inputs: InsightsInput) -> Mapping[str, PromptValue]:
    return {
        **agent_variables(inputs.agent_name, inputs.summary),
        "now": game_time(inputs.now),
        "statements": data_list(memory_texts(inputs.memories)),
        "questions": data_list(map(question_text, inputs.questions)),
        "count": number(INSIGHTS_PER_QUESTION_MAX),
        "counts": data_list([dealings_text(one, inputs) for one in inputs.dealings]),
        "facts": data_list([fact_text(one, inputs.agent_name) for one in inputs.facts]),
        "revisable": _revisable(inputs),
    }


def question_text(question: AskedQuestion) -> str:
    """Return the line of a question with its statements: "Who is she? (statements 1, 5, 3)"."""
    return phrase(
        "{question} (statements {numbers})",
        question=question.text,
        numbers=", ".join(map(str, question.places)),
    )


def fact_text(fact: HeldFact, agent_name: str) -> str:
    """Return the line of a fact: its key, its sentences, the standing and the last day."""
    stands = standing_text(fact.standing, agent_name, fact.other)
    last = phrase("until {last}", last=fact.until) if fact.until else ""
    said = "; ".join(filter(None, (*fact.statements, stands, last)))
    return f"{fact.key}: {said}" if fact.key else said


def _options(inputs: InsightsInput) -> Options:
    """Return the agents with counts, without any the agent itself, and the keys of facts."""
    agents = [one.name for one in inputs.dealings]
    return {
        AGENTS: agents or [inputs.agent_name],
        OTHERS: ["", *agents],
        FACTS: ["", *(one.key for one in inputs.facts if one.key)],
    }


def dealings_text(dealings: Dealings, inputs: InsightsInput) -> str:
    """Return the line of the counts: "Ada Finch: 3 talks on 2 days, the last on Mon 13 Feb"."""
    return ", ".join(_counts(dealings, inputs))


def _counts(dealings: Dealings, inputs: InsightsInput) -> Iterator[str]:
    talks, hours = len(dealings.talked_at), len(dealings.seen_at)
    yield phrase(
        "{name}: {talks}",
        name=dealings.name,
        talks=counted("{count} talk", "{count} talks", talks),
    )
    if talks:
        yield phrase(
            "on {days}", days=counted("{count} day", "{count} days", dealings.talk_days)
        )
        yield phrase("the last on {day}", day=format_short_day(dealings.talked_at[-1]))
    if inputs.since is not None and talks:
        yield phrase(
            "{count} since the last reflection", count=dealings.talks_since(inputs.since)
        )
    yield counted("seen in {count} hour", "seen in {count} hours", hours)


def _revisable(inputs: InsightsInput) -> Trusted:
    """Return the sentence that names the earlier insights by number, "" without any."""
    if not inputs.earlier_insights:
        return joined(())
    return sentence(
        " Earlier insights are the statements {numbers}: where the others show that one no "
        "longer holds, revise it, and say what has changed.",
        numbers=joined(map(number, inputs.earlier_insights)),
    )


def _decision(answer: Insights) -> Iterator[Fact]:
    """Yield what the insights revise, claim and change; statement and evidence are free."""
    for one in answer.insights:
        if one.replaces is not None:
            yield "replaces", one.replaces
        if one.claim is not None:
            yield "claim", one.claim.about, one.claim.of, one.claim.how_often
        if (new := one.changes) is not None:
            yield "change", new.kind, new.revises, new.other, new.tie, new.standing, new.ends


def _check(inputs: InsightsInput, answer: Insights) -> None:
    """Reject answers without any valid citation; single invalid citations are dropped later."""
    asked = range(1, len(inputs.questions) + 1)
    if any(insight.question not in asked for insight in answer.insights):
        raise ValueError(
            phrase("each insight names a question by its number: 1 to {count}", count=asked[-1])
        )
    if any(not normalised(insight.statement) for insight in answer.insights):
        raise ValueError(phrase("an insight is blank: say it in one sentence, or leave it out"))
    changed = [insight.changes for insight in answer.insights if insight.changes is not None]
    if any((one.kind is FactKind.RELATIONSHIP) != bool(one.other) for one in changed):
        raise ValueError(phrase("a relationship is to one of the others, nothing else is"))
    kinds = {one.key: one.kind for one in inputs.facts if one.key}
    for one in changed:
        require_until(one.until)
        if one.kind is not kinds.get(one.revises, one.kind):
            raise ValueError(phrase("{key} is of another kind", key=one.revises))
        if one.ends and one.kind is not FactKind.RELATIONSHIP and one.revises not in kinds:
            raise ValueError(phrase('what ends is named by its key in "revises"'))
    listed = range(1, len(inputs.memories) + 1)
    cited = [resolve_citations(insight.because_of, listed)[0] for insight in answer.insights]
    if cited and not any(cited):
        raise ValueError(
            phrase(
                "no insight cites a statement that there is: cite numbers from 1 to {count}",
                count=len(inputs.memories),
            )
        )


INSIGHTS = LLMTask(
    name="reflection.insights",
    template=task_templates(
        "reflection/insights", trusted={"agent_name", "now", "count", "revisable"}
    ),
    input_type=InsightsInput,
    answer_type=Insights,
    variables=_variables,
    fallback=no_insight,
    decision=_decision,
    check=_check,
    options=_options,
    numbers=lambda inputs: {
        "question": (1, len(inputs.questions)),
        **dict.fromkeys(("because_of", "replaces"), (1, max(1, len(inputs.memories)))),
    },
)
