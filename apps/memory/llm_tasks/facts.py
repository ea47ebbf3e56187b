"""LLM task: the lasting facts in an agent's description (ADR 53)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated

from pydantic import Field

from apps.agents.status import Standing, TieKind
from apps.kernel.language import phrase
from apps.llm.answers.answer_options import DATE_OR_TIME_FORM, OneOf, Options
from apps.llm.answers.decisions import Fact, marked
from apps.llm.answers.json_schema import Bounds
from apps.llm.answers.task_answer import TaskAnswer
from apps.llm.prompts.sets import task_templates
from apps.llm.prompts.values import PromptValue, agent_name, data_list, iso_date
from apps.llm.task import LLMTask


@dataclass(frozen=True, slots=True, kw_only=True)
class FactsInput:
    """The phrases of an agent's description, in order, and the full names of other agents."""

    agent_name: str
    today: date
    statements: tuple[str, ...]
    others: tuple[str, ...]

    @property
    def named(self) -> tuple[str, ...]:
        """The others that a statement names, by a part of their name as well."""
        told = " ".join(self.statements).casefold()
        return tuple(
            other
            for other in self.others
            if any(
                part in told
                for part in other.casefold().split()
                if len(part) >= NAME_CHARACTERS_MIN
            )
        )


OTHERS = "others"  # the option set of the names of other agents
STATEMENTS_MAX = 6
PURSUITS_MAX = 12
ROUTINES_MAX = 20
NAME_CHARACTERS_MIN = 3
TIES_MAX = 60
UNTIL_CHARACTERS_MAX = len("2023-02-14T19:00:00")

Numbers = Annotated[
    tuple[int, ...],
    Field(
        min_length=1,
        max_length=STATEMENTS_MAX,
        description="the numbers of the statements that say so, most telling first",
    ),
]


def until_field() -> str:
    """Return the field of an answer with the end of a fact, which `require_until` checks."""
    field: str = Field(
        default="",
        max_length=UNTIL_CHARACTERS_MAX,
        description='the last date of it, such as "2023-02-14", or the end of its event, such '
        'as "2023-02-14T19:00", where a statement says so; "" without one',
        json_schema_extra=DATE_OR_TIME_FORM,
    )
    return field


class Pursuit(TaskAnswer):
    """Something that the agent works on or aims at for weeks or longer."""

    because_of: Numbers
    until: str = until_field()


class Tie(TaskAnswer):
    """What another agent is to the agent, and how the agent stands to it."""

    other: Annotated[str, OneOf(OTHERS)]
    tie: TieKind = Field(
        description='what the other one is to the person; "by-name" for somebody that the '
        "person has only heard of"
    )
    standing: Standing = Field(description="how the person stands to the other")
    because_of: Numbers


class LastingFactsFound(TaskAnswer):
    """The lasting facts of a description."""

    occupation: tuple[int, ...] = Field(
        max_length=STATEMENTS_MAX,
        description="the numbers of the statements that say what the person is or does for a "
        "living or studies, most telling first",
    )
    pursuits: tuple[Pursuit, ...] = Field(max_length=PURSUITS_MAX)
    routines: tuple[int, ...] = Field(
        default=(),
        max_length=ROUTINES_MAX,
        description="the numbers of the statements that say what the person usually does at "
        "some time of the day or on some day of the week",
    )
    intentions: tuple[int, ...] = Field(
        default=(),
        max_length=STATEMENTS_MAX,
        description="the numbers of the statements that say what the person means to do or to "
        "tell once",
    )
    secrets: tuple[int, ...] = Field(
        default=(),
        max_length=STATEMENTS_MAX,
        description="the numbers of the statements that the person keeps from others",
    )
    states: tuple[int, ...] = Field(
        default=(),
        max_length=STATEMENTS_MAX,
        description="the numbers of the statements that say how the person is or lives now, "
        "such as an illness, a loss or a worry",
    )
    ties: tuple[Tie, ...] = Field(
        default=(), max_length=TIES_MAX, description="one for each other person that is named"
    )


def named_in_statements(inputs: FactsInput) -> LastingFactsFound:
    """Return the first statement, and agents that statements name: the named fallback."""
    named = {
        other: tuple(
            number
            for number, text in enumerate(inputs.statements, start=1)
            if other in text  # a full name is the same in every language
        )[:STATEMENTS_MAX]
        for other in inputs.others
    }
    return LastingFactsFound(
        occupation=(1,) if inputs.statements else (),
        pursuits=(),
        ties=tuple(
            Tie(
                other=other,
                tie=TieKind.ACQUAINTANCE,
                standing=Standing.NEUTRAL,
                because_of=numbers,
            )
            for other, numbers in named.items()
            if numbers
        )[:TIES_MAX],
    )


def _variables(inputs: FactsInput) -> Mapping[str, PromptValue]:
    return {
        "agent_name": agent_name(inputs.agent_name),
        "today": iso_date(inputs.today),
        "statements": data_list(inputs.statements),
    }


def _options(inputs: FactsInput) -> Options:
    return {OTHERS: inputs.named}


def _numbers(inputs: FactsInput) -> Bounds:
    cited = ("because_of", "occupation", "routines", "intentions", "secrets", "states")
    return dict.fromkeys(cited, (1, max(1, len(inputs.statements))))


def _decision(answer: LastingFactsFound) -> Iterator[Fact]:
    """Yield which statements tell what, and the relationships."""
    yield from marked("occupation", answer.occupation)
    yield from marked("routine", answer.routines)
    yield from marked("intention", answer.intentions)
    yield from marked("secret", answer.secrets)
    yield from marked("state", answer.states)
    for pursuit in answer.pursuits:
        yield from marked("pursuit", pursuit.because_of)
    for tie in answer.ties:
        yield "tie", tie.other, tie.tie, tie.standing


def _check(inputs: FactsInput, answer: LastingFactsFound) -> None:
    cited = {
        *answer.occupation,
        *answer.routines,
        *answer.intentions,
        *answer.secrets,
        *answer.states,
        *(number for one in answer.pursuits for number in one.because_of),
        *(number for one in answer.ties for number in one.because_of),
    }
    if not cited <= set(range(1, len(inputs.statements) + 1)):
        raise ValueError(
            phrase(
                "there is no statement of that number: cite numbers from 1 to {count}",
                count=len(inputs.statements),
            )
        )
    for one in answer.pursuits:
        require_until(one.until)


def require_until(until: str) -> None:
    """Check the end of a fact in an answer.

    :raises ValueError: if it is neither "" nor an ISO date or time.
    """
    try:
        datetime.fromisoformat(until) if until else None
    except ValueError:
        hint = phrase('the date as YYYY-MM-DD, with the time if known: "2023-02-14T19:00"')
        wrong = phrase("give {hint}, not {text}", hint=hint, text=repr(until[:20]))
        raise ValueError(wrong) from None


FACTS = LLMTask(
    name="facts.description",
    template=task_templates("memory/facts", trusted={"agent_name", "today"}),
    input_type=FactsInput,
    answer_type=LastingFactsFound,
    variables=_variables,
    fallback=named_in_statements,
    decision=_decision,
    check=_check,
    options=_options,
    lengths=lambda inputs: {"ties": (0, min(TIES_MAX, len(inputs.named)))},
    numbers=_numbers,
)
