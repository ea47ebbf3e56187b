"""The names of the measures, with their descriptions, and selections of them."""

from collections.abc import Iterable, Mapping
from typing import ClassVar

from apps.evaluation.questionnaires.typed_questions import TypedQuestion
from apps.experiments.design import ExperimentDesign, NewsMeasure, SurveyMeasure
from apps.experiments.plain_values import shown
from apps.interaction.answer_forms import AnswerKind
from apps.kernel.errors import DomainError
from apps.kernel.names import names_there_are

NETWORKS: Mapping[str, str] = {
    "knows": "a memory about the other one",
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
DIFFUSION = ("knowers", "share", "unexplained")
SEARCHED_DIFFUSION = (*DIFFUSION, "hallucinated", "unverified")
ATTENDANCE = ("knew", "accepted", "came", "came_knowing", "came_share")
NUMBERS = (AnswerKind.SCALE, AnswerKind.NUMBER)
OBJECTS = ("diffusion", "attendance", "survey")


class MeasureUnknown(DomainError):
    """There is no measure of that name."""

    code: ClassVar[str] = "measure-unknown"


def selected_measures(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the measures that the given names select, in their order.

    A name is that of a measure, or the beginning of several up to a dot: `network.knows`.

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


def measured_names(design: ExperimentDesign) -> tuple[str, ...]:
    """Return the names of all values that a run has at a moment, in their order."""
    return (
        *design.plain_measures,
        *(name for one in design.news for name in values_of_news(one)),
        *(
            name
            for one in design.surveys
            for question in one.questionnaire.questions
            for name in names_of_question(one, question)
        ),
    )


def values_of_news(news: NewsMeasure) -> list[str]:
    """Return the names of the values that a measure of news has."""
    if news.place:
        return [f"attendance.{news.name}.{name}" for name in ATTENDANCE]
    names = SEARCHED_DIFFUSION if news.sentence else DIFFUSION
    return [f"diffusion.{news.name}.{name}" for name in names]


def names_of_question(survey: SurveyMeasure, question: TypedQuestion) -> list[str]:
    """Return the names of the values that a question of a survey has."""
    begin = f"survey.{survey.questionnaire.name}.{question.name}"
    if question.form.kind is AnswerKind.OPEN:
        return [f"{begin}.answered_share"]
    shares = [f"{begin}.answered_share", f"{begin}.valued_share"]
    if question.form.kind in NUMBERS:
        return [*shares, f"{begin}.mean"]
    return [*shares, *(f"{begin}.share.{option}" for option in question.form.options)]
