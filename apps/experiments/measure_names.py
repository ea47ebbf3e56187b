"""The names of the measures, with their descriptions, and selections of them."""

from collections.abc import Iterable
from dataclasses import dataclass

from apps.evaluation.questionnaires.typed_questions import TypedQuestion
from apps.experiments.argued_measures import OBJECTS, Gathering, NewsMeasure, SurveyMeasure
from apps.experiments.measure_registry import MEASURES, SHARE, MeasureUnknown
from apps.interaction.answer_forms import AnswerKind, NoValue
from apps.kernel.names import names_there_are
from apps.kernel.request_models import shown

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
