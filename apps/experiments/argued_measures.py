"""The measures of an experiment with arguments: news, gatherings, surveys."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, BeforeValidator, Discriminator, Field, Tag, model_validator
from pydantic_core.core_schema import ValidationInfo

from apps.evaluation.models import NewsSearchRow
from apps.evaluation.news_searches.commands import (
    NEWS_CHARACTERS_MAX,
    UnusableNews,
    ensure_usable_news,
)
from apps.evaluation.news_searches.verification import VerifierUnknown, ensure_known_verifier
from apps.evaluation.questionnaires.typed_questions import (
    Questionnaire,
    QuestionnaireUnknown,
    TypedQuestion,
    get_questionnaire,
)
from apps.experiments.measure_registry import MEASURES, SHARE, MeasureUnknown
from apps.interaction.answer_forms import AnswerKind, NoValue
from apps.interaction.conditions import UnknownCondition, condition_named
from apps.kernel.names import names_there_are
from apps.kernel.request_models import Listed, RequestModel, different, fault, shown
from apps.kernel.requested_values import AGENTS_MAX, LevelName, Moment

WORD_CHARACTERS_MAX = 200
WORDS_MAX = 50

_Word = Annotated[str, Field(max_length=WORD_CHARACTERS_MAX)]
_Words = Annotated[Listed[_Word], Field(max_length=WORDS_MAX), AfterValidator(different)]
_Agents = Annotated[Listed[_Word], Field(max_length=AGENTS_MAX), AfterValidator(different)]


def _usable_news(text: str) -> str:
    try:
        ensure_usable_news(text)
    except UnusableNews as error:
        raise fault(error.message) from None
    return text


def _verifier(name: str) -> str:
    try:
        ensure_known_verifier(name)
    except VerifierUnknown as error:
        raise fault(error.message, "invalid-choice") from None
    return name


def _condition(name: str) -> str:
    try:
        return condition_named(name).name
    except UnknownCondition as error:
        raise fault(error.message) from None


def _questionnaire(given: Any, info: ValidationInfo) -> Any:
    """Return the questionnaire of a name: of the service, or of the owner in the context."""
    if not isinstance(given, str):
        return given
    try:
        return get_questionnaire((info.context or {}).get("owner"), given)
    except QuestionnaireUnknown as error:
        raise fault(error.message) from None


class NewsMeasure(RequestModel):
    """A piece of news: found by its words, or by meaning if `news` tells it."""

    null_is_left_out: ClassVar[bool] = True
    name: LevelName
    """In the names of its values."""
    topic: _Words = ()
    """Words by which the news is found."""
    about: _Words = ()
    """Words that name the subject."""
    asks: _Words = ()
    """Words of a question for it."""
    news: Annotated[
        str, Field(max_length=NEWS_CHARACTERS_MAX), AfterValidator(_usable_news)
    ] = ""
    """A sentence that tells it, instead of words."""
    verifier: Annotated[str, AfterValidator(_verifier)] = NewsSearchRow.MODEL
    """What reads the memories that are nearest to the sentence."""

    @model_validator(mode="after")
    def _is_found_in_one_way(self) -> "NewsMeasure":
        if bool(self.topic) == bool(self.news):
            raise fault(
                f"{self.name} needs either topic, the words by which the news is found, or "
                "news, a sentence that tells it"
            )
        found_by = "topic" if self.topic else "news"
        for member in ("verifier",) if self.topic else ("about", "asks"):
            if getattr(self, member) != type(self).model_fields[member].default:
                raise fault(
                    f"{self.name} has {member}, which means nothing beside {found_by}; leave "
                    "it out"
                )
        return self


class Gathering(NewsMeasure):
    """The attendance of a gathering, whose news agents know or not."""

    place: _Word
    """The path of an area or a place."""
    begins: Annotated[Moment, Field(alias="from")]
    """A game time or a tick."""
    ends: Annotated[Moment, Field(alias="to")]
    """A game time or a tick."""
    hosts: _Agents | None = None
    """The slugs of the agents that give it; by default those with which the news began."""


class SurveyMeasure(RequestModel):
    """A questionnaire that agents answer at each moment under one condition of interviews."""

    null_is_left_out: ClassVar[bool] = True
    questionnaire: Annotated[
        Questionnaire,
        BeforeValidator(_questionnaire, json_schema_input_type=str | Questionnaire),
    ]
    """A name that GET /questionnaires lists, or a questionnaire."""
    condition: Annotated[_Word, AfterValidator(_condition)] = "full"
    """The kinds of memory that answers may rest on."""
    agents: _Agents = ()
    """Slugs; all agents that are there, if left out."""


class ArguedMeasure(RequestModel):
    """A measure with arguments: an object with one member."""

    null_is_left_out: ClassVar[bool] = True
    noun: ClassVar[str] = "measure with arguments"
    diffusion: NewsMeasure | None = None
    """A piece of news."""
    attendance: Gathering | None = None
    """A gathering."""
    survey: SurveyMeasure | None = None
    """A questionnaire."""

    @model_validator(mode="after")
    def _is_one(self) -> "ArguedMeasure":
        if len(self.model_fields_set) != 1:
            raise fault(f"must be a name, or an object with one member of {', '.join(OBJECTS)}")
        return self

    def to_json(self) -> dict[str, Any]:
        """Return the only member."""
        [name] = self.model_fields_set
        return {name: getattr(self, name).to_json()}


OBJECTS = tuple(ArguedMeasure.model_fields)
ChosenMeasure = Annotated[
    Annotated[_Word, Tag("name")] | Annotated[ArguedMeasure, Tag("ArguedMeasure")],
    Discriminator(lambda value: "name" if isinstance(value, str) else "ArguedMeasure"),
]
"""A name of GET /measures or its beginning up to a dot, or an object with arguments."""


DIFFUSION = {
    "knowers": "agents that know of {news}",
    "share": "share of the agents that know of {news}",
    "unexplained": "agents that know of {news} without a chain of events",
}
SEARCHED_DIFFUSION = DIFFUSION | {
    "hallucinated": "agents said to know of {news} without a memory that is named",
    "unverified": "agents without a valid answer whether they know of {news}",
}
ATTENDANCE = {
    "knew": "agents that knew of {news}",
    "accepted": "agents that agreed to come to {news}",
    "came": "agents that came to {news}",
    "came_knowing": "agents that came to {news} and knew of it",
    "came_share": "share of those that knew of {news} that came",
}
NUMBERS = (AnswerKind.SCALE, AnswerKind.NUMBER)


def selected_measures(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the measures that the given names select, in their order.

    A name is that of a measure, or the beginning of several up to a dot: `network.met`.

    :raises MeasureUnknown: if a name selects none; the message lists the known ones.
    """
    found: dict[str, None] = {}
    for name in names:
        chosen = [one for one in MEASURES if f"{one}.".startswith(f"{name}.")]
        if not chosen:
            raise MeasureUnknown(
                f"there is no measure {shown(name)}; "
                f"{names_there_are([*MEASURES, *OBJECTS], name)}; "
                f"those with arguments are objects: {', '.join(OBJECTS)}"
            )
        found |= dict.fromkeys(chosen)
    return tuple(found)


def measure_labels(
    plain: Iterable[str], news: Iterable[NewsMeasure], surveys: Iterable[SurveyMeasure]
) -> dict[str, "MeasureLabel"]:
    """Return the title and the unit of all values of measures, in their order."""
    labels = {
        name: MeasureLabel(MEASURES[name].description, MEASURES[name].unit) for name in plain
    }
    for one in news:
        labels |= {
            name: MeasureLabel(title, SHARE if name.endswith("share") else "agents")
            for name, title in values_of_news(one).items()
        }
    for survey in surveys:
        for question in survey.questionnaire.questions:
            labels |= names_of_question(survey, question)
    return labels


@dataclass(frozen=True, slots=True)
class MeasureLabel:
    """What a measure counts, and its unit, as a figure shows them."""

    title: str
    unit: str


def values_of_news(news: NewsMeasure) -> dict[str, str]:
    """Return the titles of the values of a measure of news by name."""
    kind, titles = "attendance", ATTENDANCE
    if not isinstance(news, Gathering):
        kind, titles = "diffusion", SEARCHED_DIFFUSION if news.news else DIFFUSION
    return {
        f"{kind}.{news.name}.{name}": title.format(news=f'"{news.name}"')
        for name, title in titles.items()
    }


def names_of_question(
    survey: SurveyMeasure, question: TypedQuestion
) -> dict[str, MeasureLabel]:
    """Return the labels of the values of a question of a survey by name."""
    begin, form = f"survey.{survey.questionnaire.name}.{question.name}", question.answer
    titles = {"answered_share": ("share of the interviews that were answered", SHARE)}
    if form.kind is not AnswerKind.OPEN:
        titles["valued_share"] = ("share of the answers with a value", SHARE)
        titles |= {
            f"without_value.{reason}": (f"answers without a value: {reason}", "answers")
            for reason in NoValue
        }
    if form.kind in NUMBERS:
        bounds = f"{form.minimum} to {form.maximum}" if form.kind is AnswerKind.SCALE else ""
        titles["mean"] = ("mean of the values", form.unit or bounds or "number")
    titles |= {
        f"share.{option}": (f'share of the answers "{option}"', SHARE)
        for option in form.options
    }
    return {
        f"{begin}.{name}": MeasureLabel(f'"{question.text}": {title}', unit)
        for name, (title, unit) in titles.items()
    }
