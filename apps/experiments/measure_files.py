"""Measures with arguments from YAML or JSON, and back: news, attendance, surveys."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from django.contrib.auth.models import User

from apps.evaluation.models import NewsSearchRow
from apps.evaluation.news_searches.commands import (
    NEWS_CHARACTERS_MAX,
    UnusableNews,
    ensure_usable_news,
)
from apps.evaluation.news_searches.verifiers import VERIFIERS
from apps.evaluation.questionnaires.queries import (
    QuestionnaireUnknown,
    get_questionnaire,
    questionnaire_json,
)
from apps.evaluation.questionnaires.typed_questions import (
    Questionnaire,
    read_questionnaire,
)
from apps.experiments.design import NewsMeasure, SurveyMeasure
from apps.experiments.measure_names import OBJECTS
from apps.experiments.measure_registry import MeasureUnknown
from apps.experiments.plain_values import (
    AGENTS_MAX,
    WORD_CHARACTERS_MAX,
    UnusableExperiment,
    items_of,
    members_of,
    moment_json,
    moment_of,
    name_of,
    shown,
    text_of,
)
from apps.interaction.conditions import CONDITIONS
from apps.kernel.names import names_there_are

WORDS_MAX = 50
_WORDS = ("topic", "about", "asks")
_BY_MEANING = ("news", "verifier")


def read_measures(
    values: Iterable[Any], owner: User | None
) -> tuple[tuple[NewsMeasure, ...], tuple[SurveyMeasure, ...]]:
    """Return the measures with arguments of plain values, with questionnaires of the owner.

    :raises UnusableExperiment: if a value is missing, unknown or of another type.
    :raises MeasureUnknown: if there is no such measure.
    """
    objects = [_only_object(one) for one in values]
    news = (_news(one) for one in objects if "survey" not in one)
    surveys = (_survey(one["survey"], owner) for one in objects if "survey" in one)
    return tuple(news), tuple(surveys)


def measures_json(
    news: Iterable[NewsMeasure], surveys: Iterable[SurveyMeasure]
) -> list[dict[str, Any]]:
    """Return the measures as plain values that `read_measures` takes."""
    return [
        *({("attendance" if one.place else "diffusion"): _news_json(one)} for one in news),
        *({"survey": _survey_json(one)} for one in surveys),
    ]


def _only_object(value: Any) -> Mapping[str, Any]:
    """Return a measure with arguments, an object with one member."""
    if not isinstance(value, Mapping) or len(value) != 1:
        raise UnusableExperiment(
            "a measure is a name, or an object with one member of "
            f"{', '.join(OBJECTS)}, not {shown(value)}"
        )
    return value


def _news(value: Mapping[str, Any]) -> NewsMeasure:
    [(kind, arguments)] = value.items()
    if kind not in OBJECTS:
        raise MeasureUnknown(
            f"there is no measure {shown(kind)} with arguments; "
            f"{names_there_are(OBJECTS, str(kind))}"
        )
    more = ("place", "from", "to") if kind == "attendance" else ()
    optional = ("hosts",) if kind == "attendance" else ()
    where = f"the measure {kind}"
    known = ("name", *_WORDS, *_BY_MEANING, *more, *optional)
    given = members_of(arguments, known, where, required=("name", *more))
    news = _told_news(given, where)
    if not more:
        return news
    return replace(
        news,
        place=text_of(given["place"], f"place of {where}", most=WORD_CHARACTERS_MAX),
        begins=moment_of(given["from"], f"from of {where}"),
        ends=moment_of(given["to"], f"to of {where}"),
        hosts=_hosts(given["hosts"], f"hosts of {where}") if "hosts" in given else None,
    )


def _told_news(given: Mapping[str, Any], where: str) -> NewsMeasure:
    """Return the news, given by words or by a sentence."""
    name = name_of(given["name"], f"the name of {where}")
    if ("topic" in given) == ("news" in given):
        raise UnusableExperiment(
            f"{where} {name} needs either topic, the words by which the news is found, or "
            "news, a sentence that tells it"
        )
    others = _BY_MEANING if "topic" in given else _WORDS
    if unused := [member for member in others if given.get(member) is not None]:
        found_by = "topic" if "topic" in given else "news"
        raise UnusableExperiment(
            f"{where} {name} has {unused[0]}, which means nothing beside {found_by}; leave it "
            "out"
        )
    if "topic" in given:
        topic, about, asks = (
            _words(given.get(member), f"{member} of {where}") for member in _WORDS
        )
        return NewsMeasure(name=name, topic=topic, about=about, asks=asks)
    sentence = text_of(given["news"], f"news of {where}", most=NEWS_CHARACTERS_MAX)
    try:
        ensure_usable_news(sentence)
    except UnusableNews as error:
        raise UnusableExperiment(f"news of {where} {name}: {error.message}") from error
    verifier = given.get("verifier") or NewsSearchRow.MODEL
    known = [NewsSearchRow.MODEL, *VERIFIERS]
    if verifier not in known:
        raise UnusableExperiment(
            f"the verifier of {where} is {shown(verifier)}; "
            f"{names_there_are(known, str(verifier))}"
        )
    return NewsMeasure(name=name, sentence=sentence, verifier=verifier)


def _words(value: Any, where: str) -> tuple[str, ...]:
    if value is None:
        return ()
    listed = items_of(value, where, most=WORDS_MAX)
    return tuple(text_of(one, where, most=WORD_CHARACTERS_MAX) for one in listed)


def _hosts(value: Any, where: str) -> tuple[str, ...]:
    listed = items_of(value, where, most=AGENTS_MAX, least=0)
    return tuple(text_of(one, where, most=WORD_CHARACTERS_MAX) for one in listed)


def _survey(values: Any, owner: User | None) -> SurveyMeasure:
    where = "the measure survey"
    given = members_of(
        values, ("questionnaire", "condition", "agents"), where, required=("questionnaire",)
    )
    asked, condition = given["questionnaire"], given.get("condition", "full")
    if not isinstance(condition, str) or condition not in CONDITIONS:
        raise UnusableExperiment(
            f"{where} has the unknown condition {shown(condition)}; "
            f"{names_there_are(CONDITIONS, str(condition))}"
        )
    agents = (
        items_of(given["agents"], f"agents of {where}", most=AGENTS_MAX)
        if ("agents" in given)
        else []
    )
    return SurveyMeasure(
        questionnaire=_questionnaire(asked, owner),
        condition=condition,
        agents=tuple(text_of(one, "an agent", most=WORD_CHARACTERS_MAX) for one in agents),
    )


def _questionnaire(given: Any, owner: User | None) -> Questionnaire:
    if not isinstance(given, str):
        return read_questionnaire(given)
    try:
        return get_questionnaire(owner, given)
    except QuestionnaireUnknown as error:
        raise UnusableExperiment(error.message) from error


def _news_json(one: NewsMeasure) -> dict[str, Any]:
    words: dict[str, Any] = {"name": one.name}
    if one.sentence:
        words |= {"news": one.sentence, "verifier": one.verifier}
    else:
        words |= {
            "topic": list(one.topic),
            "about": list(one.about) or None,
            "asks": list(one.asks) or None,
        }
    if not one.place:
        return words
    assert one.begins is not None
    assert one.ends is not None
    times = {"from": moment_json(one.begins), "to": moment_json(one.ends)}
    hosts = None if one.hosts is None else list(one.hosts)
    return words | {"place": one.place, "hosts": hosts} | times


def _survey_json(one: SurveyMeasure) -> dict[str, Any]:
    return {
        "questionnaire": questionnaire_json(one.questionnaire),
        "condition": one.condition,
        "agents": list(one.agents) or None,
    }
