"""LLM task: the takeaways of an agent from a finished conversation (D3, R4)."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Annotated, Literal

from pydantic import Field

from apps.agents.phrases import (
    acquaintance_lines,
    agent_variables,
    promise_text,
    tie_lines,
)
from apps.agents.status import Standing
from apps.dialogue.inputs import TakeawaysInput
from apps.dialogue.llm_tasks.utterance import numbered_lines
from apps.kernel.language import phrase
from apps.kernel.text import join_and
from apps.llm.answers.answer_options import (
    DATE_FORM,
    DATE_OR_TIME_FORM,
    ClockTime,
    OneOf,
    Options,
)
from apps.llm.answers.checks import require_infinitive, require_text
from apps.llm.answers.decisions import Fact, marked
from apps.llm.answers.json_schema import Bounds
from apps.llm.answers.task_answer import TaskAnswer
from apps.llm.prompts.sets import task_templates
from apps.llm.prompts.values import (
    PromptValue,
    agent_name,
    data,
    data_list,
    game_date,
    game_time,
    iso_date,
    joined,
)
from apps.llm.task import LLMTask
from apps.memory.llm_tasks.importance import DATED, importance_field
from apps.memory.passing_on import passing_on_field, require_terms

LEARNT_MAX = 4
COMMITMENTS_MAX = 3
SENTENCE_CHARACTERS_MAX = 400

AGREEMENTS, PROMISES, NEWS = "agreements", "promises", "news"
BESIDES = "besides"  # the option set of the names of further participants
IMPORTANCE = importance_field("of it", has_examples=False)


class Learnt(TaskAnswer):
    """Something learned from the other agent."""

    sentence: str = Field(
        max_length=SENTENCE_CHARACTERS_MAX,
        description="a whole sentence in the third person that names who told whom what, with "
        f"names and places instead of I or here, {DATED}",
    )
    line: int = Field(description="the number of the line in which it was told")
    starts: str = Field(
        default="",
        description="if it tells of something at a date, when that begins, such as "
        '"2023-02-14 17:00"; "" if not',
        json_schema_extra=DATE_OR_TIME_FORM,
    )
    ends: str = Field(
        default="",
        description='when that ends; "" if not told',
        json_schema_extra=DATE_OR_TIME_FORM,
    )
    passing_on: str = passing_on_field()
    importance: int = IMPORTANCE


class Commitment(TaskAnswer):
    """An activity that the agent agreed to, with its time."""

    activity: str = Field(
        max_length=SENTENCE_CHARACTERS_MAX,
        description='an infinitive without "to", without the person, the place and the time, '
        'such as "come to Isabella Rodriguez\'s party"',
    )
    place: str = Field(
        max_length=SENTENCE_CHARACTERS_MAX,
        description='where, as it was called; "" if nowhere was named',
    )
    date: str = Field(description='the date, such as "2023-02-14"', json_schema_extra=DATE_FORM)
    starts: Annotated[str, ClockTime()] = Field(
        description='when it begins, on a 24-hour clock, such as "17:00"'
    )
    ends: Annotated[str, ClockTime()] = Field(description='when it ends, such as "19:00"')
    importance: int = IMPORTANCE


class Refusal(TaskAnswer):
    """An activity that the agent said no to."""

    activity: str = Field(
        max_length=SENTENCE_CHARACTERS_MAX, description='an infinitive without "to"'
    )
    importance: int = IMPORTANCE


class Promise(TaskAnswer):
    """Something that the agent promised to pass on."""

    what: str = Field(
        max_length=SENTENCE_CHARACTERS_MAX,
        description="what is to be passed on, a whole sentence in the third person",
    )
    to: str = Field(description='the full name of the person to tell; "" for anybody')
    importance: int = IMPORTANCE


class SettledPromise(TaskAnswer):
    """An earlier promise that needs no further words."""

    key: Annotated[str, OneOf(PROMISES)]
    why: Literal["kept", "known", "outdated"] = Field(
        description='"kept" if it was said in this conversation, "known" if the other one knew '
        'it already, "outdated" if it no longer holds'
    )


class OpinionOf(TaskAnswer):
    """What the agent thinks of a further participant of the conversation."""

    of: Annotated[str, OneOf(BESIDES)]
    opinion: str = Field(
        max_length=SENTENCE_CHARACTERS_MAX,
        description="what the person now thinks of them, one sentence",
    )
    importance: int = IMPORTANCE
    standing: Standing | None = Field(
        default=None,
        description="how the person stands to them from now on, if that has changed",
    )


class Takeaways(TaskAnswer):
    """The takeaways of an agent from a conversation."""

    gist: str = Field(
        min_length=1,
        max_length=SENTENCE_CHARACTERS_MAX,
        description="one sentence in the third person, with both names: what they "
        f"talked about; {DATED}",
    )
    importance: int = importance_field("of the conversation")
    learnt: tuple[Learnt, ...] = Field(
        description=f"what the other one told that was not known before, at most {LEARNT_MAX}"
    )
    agreed: tuple[Commitment, ...] = Field(
        description="what the person themself agreed to do at a time, at most "
        f"{COMMITMENTS_MAX}; nothing that was only offered or asked"
    )
    declined: tuple[Refusal, ...] = Field(
        description="what the person was asked to and said no to"
    )
    superseded: tuple[Annotated[str, OneOf(AGREEMENTS)], ...] = Field(
        default=(),
        description="the keys of the earlier agreements that no longer hold, because they were "
        "changed or cancelled in this conversation; what holds instead is agreed",
    )
    fulfilled: tuple[Annotated[str, OneOf(AGREEMENTS)], ...] = Field(
        default=(),
        description="the keys of the earlier agreements that were carried out with this "
        "conversation, so that nothing of them is left to do",
    )
    promised: tuple[Promise, ...] = Field(
        default=(),
        description="what the person themself promised to tell to somebody else, at most "
        f"{COMMITMENTS_MAX}",
    )
    settled: tuple[SettledPromise, ...] = Field(
        default=(), description="the earlier promises that are settled by this conversation"
    )
    told: tuple[Annotated[str, OneOf(NEWS)], ...] = Field(
        default=(), description="the keys of the news that the person themself told"
    )
    about_other: str = Field(
        max_length=SENTENCE_CHARACTERS_MAX,
        description='what the person now thinks of the other, one sentence; "" if nothing new',
    )
    about_other_importance: int = IMPORTANCE
    standing: Standing | None = Field(
        default=None,
        description="how the person stands to the other from now on, if that has changed",
    )
    about_besides: tuple[OpinionOf, ...] = Field(
        default=(), description="the same of the further participants, where it is new"
    )
    for_plans: str = Field(
        max_length=SENTENCE_CHARACTERS_MAX,
        description='what it means for the person\'s own plans, one sentence; "" if nothing',
    )
    for_plans_importance: int = IMPORTANCE


def only_that_they_talked(inputs: TakeawaysInput) -> Takeaways:
    """Return only that the two talked: the named fallback."""
    return Takeaways(
        gist=phrase(
            "{name} talked with {other}",
            name=inputs.agent_name,
            other=join_and((inputs.other_name, *inputs.besides)),
        ),
        learnt=(),
        agreed=(),
        declined=(),
        about_other="",
        for_plans="",
    )


def scheduled_times(commitment: Commitment) -> tuple[datetime, datetime]:
    """Return the start and the end of a commitment, on the same date, as game times.

    :raises ValueError: if the date or a time is not valid.
    """
    date = phrase('the date as YYYY-MM-DD such as "2023-02-14"')
    day = _parse(commitment.date, "%Y-%m-%d", date)
    clock = phrase('times from 00:00 to 23:59 such as "17:00"')
    starts = _parse(commitment.starts, "%H:%M", clock)
    ends = _parse(commitment.ends, "%H:%M", clock)
    return datetime.combine(day, starts.time()), datetime.combine(day, ends.time())


def learnt_times(learnt: Learnt) -> tuple[datetime, datetime] | None:
    """Return the game times of the told event, None without a date.

    A date alone stands for the whole day, a beginning alone for an hour.

    :raises ValueError: if a time is not valid.
    """
    begins = _moment(learnt.starts or learnt.ends)
    ends = _moment(learnt.ends or learnt.starts)
    if begins is None or ends is None:
        return None
    if begins == ends:
        has_clock = len((learnt.starts or learnt.ends).strip()) > len("2023-02-14")
        ends += timedelta(hours=1) if has_clock else timedelta(days=1)
    return begins, ends


def _moment(text: str) -> datetime | None:
    if not text.strip():
        return None
    try:
        return datetime.fromisoformat(text.strip()).replace(tzinfo=None)
    except ValueError:
        hint = phrase('a date and time such as "2023-02-14 17:00", or ""')
        raise _wrong_time(text, hint) from None


def _parse(text: str, form: str, hint: str) -> datetime:
    try:
        return datetime.strptime(text.strip(), form)  # noqa: DTZ007 (game time)
    except ValueError:
        raise _wrong_time(text, hint) from None


def _wrong_time(text: str, hint: str) -> ValueError:
    return ValueError(phrase("give {hint}, not {text}", hint=hint, text=repr(text[:20])))


def _variables(inputs: TakeawaysInput) -> Mapping[str, PromptValue]:
    return {
        **agent_variables(inputs.agent_name, inputs.summary),
        "others": joined(map(agent_name, (inputs.other_name, *inputs.besides))),
        "date": game_date(inputs.now.date()),
        "acquaintance": data_list(
            (
                *acquaintance_lines(inputs.acquaintance, inputs.agent_name, inputs.other_name),
                *(
                    line
                    for other, tie in zip(inputs.besides, inputs.ties_besides, strict=True)
                    for line in tie_lines(tie, inputs.agent_name, other)
                ),
            )
        ),
        "now": game_time(inputs.now),
        "today": iso_date(inputs.now.date()),
        "place": data(inputs.place),
        "agreements": data(
            "\n".join(
                (
                    *(f"{one.key}: {one.text}" for one in inputs.agreements),
                    *(f"{one.key}: {promise_text(one.promise)}" for one in inputs.promises),
                )
            )
        ),
        "news": data("\n".join(f"{one.key}: {one.text}" for one in inputs.news)),
        "said": numbered_lines(inputs.lines),
    }


def _options(inputs: TakeawaysInput) -> Options:
    return {
        AGREEMENTS: [agreement.key for agreement in inputs.agreements],
        PROMISES: [promise.key for promise in inputs.promises],
        NEWS: [news.key for news in inputs.news],
        BESIDES: inputs.besides,
    }


def _lengths(inputs: TakeawaysInput) -> Bounds:
    return {
        "learnt": (0, LEARNT_MAX),
        **dict.fromkeys(("agreed", "declined", "promised"), (0, COMMITMENTS_MAX)),
        **dict.fromkeys(("superseded", "fulfilled"), (0, len(inputs.agreements))),
        "settled": (0, len(inputs.promises)),
        "told": (0, len(inputs.news)),
        "about_besides": (0, len(inputs.besides)),
    }


def _decision(answer: Takeaways) -> Iterator[Fact]:
    """Yield what was agreed, settled and learned; sentences and importance are free."""
    for learnt in answer.learnt:
        yield "learned in line", learnt.line, learnt.passing_on
    for agreed in answer.agreed:
        yield "agreed", agreed.date.strip(), agreed.starts, agreed.ends
    yield "declined", len(answer.declined)
    yield from marked("superseded", answer.superseded)
    yield from marked("fulfilled", answer.fulfilled)
    yield from marked("promised to tell", (one.to for one in answer.promised))
    for settled in answer.settled:
        yield "settled", settled.key, settled.why
    yield from marked("told", answer.told)
    yield "standing", answer.standing
    for opinion in answer.about_besides:
        yield "standing", opinion.of, opinion.standing


def _check(inputs: TakeawaysInput, answer: Takeaways) -> None:
    others = join_and((inputs.other_name, *inputs.besides))
    names = {"name": inputs.agent_name, "other": others}
    meaning = phrase("what {name} and {other} talked about", **names)
    require_text(answer.gist, field="gist", meaning=meaning)
    for learnt in answer.learnt[:LEARNT_MAX]:
        learnt_times(learnt)
        require_terms(learnt.passing_on)
    for commitment in answer.agreed[:COMMITMENTS_MAX]:
        _check_activity(inputs, commitment.activity, "activity")
        scheduled_times(commitment)
    for declined in answer.declined[:COMMITMENTS_MAX]:
        _check_activity(inputs, declined.activity, "declined")


def _check_activity(inputs: TakeawaysInput, activity: str, field: str) -> None:
    require_text(activity, field=field, meaning=phrase("an infinitive, or leave it out"))
    require_infinitive(activity, field=field, agent_name=inputs.agent_name)


TAKEAWAYS = LLMTask(
    name="dialogue.takeaways",
    template=task_templates(
        "dialogue/takeaways", trusted={"agent_name", "date", "others", "now", "today"}
    ),
    input_type=TakeawaysInput,
    answer_type=Takeaways,
    variables=_variables,
    fallback=only_that_they_talked,
    decision=_decision,
    check=_check,
    options=_options,
    lengths=_lengths,
    numbers=lambda inputs: {"line": (1, max(1, len(inputs.lines)))},
)
