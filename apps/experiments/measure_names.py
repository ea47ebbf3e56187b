"""The names of the measures, with their descriptions, and selections of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from apps.evaluation.questionnaires.typed_questions import TypedQuestion
from apps.experiments.argued_measures import OBJECTS, Gathering, NewsMeasure, SurveyMeasure
from apps.interaction.answer_forms import AnswerKind, NoValue
from apps.kernel.errors import DomainError
from apps.kernel.names import names_there_are
from apps.kernel.request_models import shown

NETWORKS: Mapping[str, str] = {
    "remembered": "a memory about the other one, also of a sight",
    "sighted": "having seen each other",
    "met": "having been in a conversation together",
    "talked": "having spoken to each other",
    "related": "a relationship as a lasting fact",
}
_OF_NETWORKS = {
    "density": "share of the joined pairs of all pairs",
    "mean_degree": "mean number of joined agents",
    "clustering": "mean local clustering coefficient",
    "ties": "joined pairs",
}
_OTHERS = {
    "conversations.count": "conversations in which at least two agents speak",
    "conversations.openings": "words that nobody answered",
    "conversations.pairs": "pairs that have talked",
    "conversations.utterances": "utterances in conversations",
    "conversations.utterances_each": "utterances in a conversation, mean",
    "conversations.words_each": "words in an utterance, mean",
    "conversations.repeated_share": "share of utterances in the words of an earlier one",
    "commitments.open": "agreements whose time has not passed; each side counts",
    "commitments.kept": "agreements that were kept",
    "commitments.missed": "agreements that were missed",
    "commitments.dropped": "agreements that were dropped",
    "commitments.declined": "proposals that were declined",
    "commitments.cancelled": "agreements that were cancelled",
    "commitments.changed": "agreements that were changed",
    "plans.planned": "planned actions whose time is over, without sleep and acts",
    "plans.begun_share": "share of them that was begun",
    "plans.short": "planned actions done for less than two minutes",
    "quality.memories_per_agent_day": "memories of an agent in a day",
    "quality.memories_repeated_share": "share of memories that repeat one of the same agent",
    "quality.reflections": "insights of reflections",
    "quality.reflections_repeated_share": "share of insights that repeat one of any agent",
    "quality.answers_kept_share": "share of a model's answers to turns that are done as given",
    "quality.answers_fell_back": "answers to turns in whose place a fallback is done",
    "quality.checks_passed": "checks of the latest whole day without a fault",
    "quality.faults": "faults that these checks have found",
    "drift.seeds_in_summary": "phrases of a description in the agent's summary, share, mean",
    "drift.facts_kept": "lasting facts of a description that hold unchanged, share, mean",
    "drift.facts_added": "lasting facts of an agent from elsewhere, mean",
    "drift.action_divergence": "bits from an agent's first day to its latest one, mean",
    "routines.places_per_day": "different places of an agent in a day, mean",
    "routines.radius": "radius of gyration of an agent in tiles, mean",
}
PLAIN_MEASURES: Mapping[str, str] = {
    **{
        f"network.{kind}.{name}": f"{description}; two agents are joined by {joined}"
        for kind, joined in NETWORKS.items()
        for name, description in _OF_NETWORKS.items()
    },
    **_OTHERS,
}
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
SHARE = "share, 0 to 1"
UNITS = {
    "ties": "pairs",
    "mean_degree": "agents",
    "pairs": "pairs",
    "utterances_each": "utterances",
    "words_each": "words",
    "memories_per_agent_day": "memories",
    "action_divergence": "bits",
    "radius": "tiles",
    "places_per_day": "places",
}
"""The units of measures without arguments that are no shares, by the end of the name."""


class MeasureUnknown(DomainError):
    """There is no measure of that name."""

    code: ClassVar[str] = "measure-unknown"


def selected_measures(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the measures that the given names select, in their order.

    A name is that of a measure, or the beginning of several up to a dot: `network.met`.

    :raises MeasureUnknown: if a name selects none; the message lists the known ones.
    """
    found: dict[str, None] = {}
    for name in names:
        chosen = [one for one in PLAIN_MEASURES if f"{one}.".startswith(f"{name}.")]
        if not chosen:
            raise MeasureUnknown(
                f"there is no measure {shown(name)}; "
                f"{names_there_are([*PLAIN_MEASURES, *OBJECTS], name)}; "
                f"those with arguments are objects: {', '.join(OBJECTS)}"
            )
        found |= dict.fromkeys(chosen)
    return tuple(found)


def measure_labels(
    plain: Iterable[str], news: Iterable[NewsMeasure], surveys: Iterable[SurveyMeasure]
) -> dict[str, "MeasureLabel"]:
    """Return the title and the unit of all values of measures, in their order."""
    labels = {name: MeasureLabel(PLAIN_MEASURES[name], _unit_of(name)) for name in plain}
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


def _unit_of(measure: str) -> str:
    """Return the unit of a measure without arguments."""
    is_share = PLAIN_MEASURES[measure].startswith(("share", "phrases", "mean local"))
    if is_share or measure == "drift.facts_kept":
        return SHARE
    return UNITS.get(measure.rpartition(".")[2], "number")
