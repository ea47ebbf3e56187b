"""The tables of the admin: a page that edits nothing for the rows of each model."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.apps import apps
from django.contrib.admin import site
from django.db import models
from pgvector.django import HalfVectorField

from apps.access import admin as access  # noqa: F401 (it registers pages of its own)
from apps.django_support.read_only_admin import ReadOnlyAdmin
from apps.eventlog import admin as eventlog  # noqa: F401 (as above)

# By table: the fields of its list. A list whose first field is a time has the latest row first.
_COLUMNS: Mapping[str, str] = {
    "access.membershiprow": "given_at user role given_by simulation_id",
    "access.requestcount": "what count span",
    "agents.actionrow": "agent emoji description area object asleep from_tick to_tick",
    "agents.actreportrow": "agent kind other outcome area tick",
    "agents.admissionrow": "agent node host reason from_tick to_tick",
    "agents.agentrow": "agent name age home workplace joined_tick description",
    "agents.dooropeningrow": "agent tick node visitor",
    "agents.knownplacerow": "agent node state from_tick to_tick",
    "agents.objectstaterow": "object state from_tick to_tick",
    "agents.seenagentrow": "agent subject description area from_tick to_tick",
    "agents.stayrow": "agent from_tick to_tick",
    "agents.turnedawayrow": "agent tick node why",
    "agents.userow": "agent node is_area state since_tick from_tick to_tick",
    "counterfactuals.counterfactualrow": "requested_at state at_tick until_tick "
    "first_difference by simulation_id branch_id",
    "dialogue.commitmentrow": "agent declined activity other place day tick conversation",
    "dialogue.overheardrow": "agent conversation tick utterances is_over",
    "dialogue.promiserow": "agent other to what tick outcome",
    "dialogue.talkrow": "agent other conversation from_tick to_tick why",
    "dialogue.utterancerow": "conversation number tick agent to text ends",
    "embodiment.answerrow": "call agent tick outcome code why",
    "embodiment.callrow": "event agent embodiment kind body by reason",
    "embodiment.embodimentrow": "number agent by is_visitor from_tick to_tick reason",
    "evaluation.newsfindingrow": "verified_at agent knows held parse_error search_id",
    "evaluation.newssearchrow": "requested_at state news as_of_tick verifier tokens tokens_max "
    "by simulation_id",
    "evaluation.questionnairerow": "added_at name title owner_id",
    "evaluation.rankingjudgementrow": "judged_at evaluator ranks parse_error task_id",
    "evaluation.rankingrow": "requested_at state judge conditions seed tokens by survey_id",
    "evaluation.rankingtaskrow": "number agent question category ranking_id",
    "evaluation.surveyinterviewrow": "survey_id question category interview_id",
    "evaluation.surveyrow": "requested_at state questionnaire conditions ticks tokens "
    "tokens_max by simulation_id",
    "evaluation.writtenanswerrow": "written_at agent question by survey_id",
    "experiments.experimenteventrow": "recorded_at number type by experiment_id",
    "experiments.experimentrow": "requested_at name state finished_runs runs by problem id",
    "memory.factrow": "agent number kind other tie standing statements opinion source evidence "
    "from_tick to_tick",
    "interaction.interviewrow": "requested_at agent persona question answer value no_value "
    "conditions as_of_tick state by simulation_id",
    "lineage.lineagerow": "branch depth ancestor until_tick has_same_seed",
    "llm.budgetrow": "simulation_id tokens tokens_max money money_max",
    "llm.embeddingcallrow": "tick stream texts characters prompt_tokens cost latency_ms server "
    "model",
    "llm.embeddingrow": "text_sha256 model dimensions origin",
    "llm.modelcallrow": "call_id tick stream task outcome prompt_tokens completion_tokens "
    "cached_prompt_tokens billed_equivalent_tokens cost latency_ms server model",
    "llm.modelfailurerow": "recorded_at code server model prompt_tokens cached_prompt_tokens "
    "billed_equivalent_tokens call_id detail",
    "llm.promptpartrow": "id __str__",
    "memory.memoryrow": "agent number kind origin rating perceived subject description "
    "formed_tick",
    "memory.repetitionrow": "agent number times from_tick to_tick",
    "memory.retrievalrow": "agent number from_tick to_tick",
    "metrics.modelcalltotalrow": "simulation_id server model task outcome calls retries "
    "prompt_tokens cached_prompt_tokens completion_tokens cost",
    "metrics.turntotalrow": "simulation_id completed failed committed_ticks",
    "planning.planitemrow": "agent level asleep from_tick to_tick emoji description place "
    "object valid_from_tick valid_to_tick",
    "reaction.weighedrow": "agent tick subject choice decisive what",
    "reflection.reflectionrow": "agent tick kind importance questions",
    "replays.replayrow": "requested_at state from_tick to_tick turns events changed_calls by "
    "simulation_id",
    "memory.selfsummaryrow": "agent from_tick to_tick due_tick text",
    "simulation.clockrow": "agent clock",
    "simulation.commandrow": "created_at kind agent state effective_tick by reason refusal",
    "simulation.processrow": "seen_at name kind threads started_at",
    "simulation.simulationrow": "created_at name status reason committed_tick until_tick pace "
    "world seed owner id",
    "simulation.turnrow": "agent tick state attempts worker heartbeat_at error",
}
# Fields of few values besides those with choices; their values are offered as filters.
_FILTERS = frozenset(
    {
        "agent", "choice", "code", "kind", "level", "model", "no_value", "origin",
        "outcome", "rating", "server", "source", "standing", "task", "tie", "type", "world",
    }
)  # fmt: skip
# Fields whose words are searched; other texts are compared as they are.
_WORDS = frozenset(["name", "title", "question", "node", "area", "object", "place"])
_EXACT = (models.CharField, models.UUIDField, models.ForeignKey)
_UNREADABLE = (models.BinaryField, HalfVectorField)


def _page_of(model: type[models.Model], columns: Sequence[str]) -> type[ReadOnlyAdmin]:
    """Return the page of a model with these columns, and with filters and a search of them."""
    fields = {name: model._meta.get_field(name) for name in columns if name != "__str__"}
    if any(field.attname == "simulation_id" for field in model._meta.concrete_fields):
        fields.setdefault("simulation_id", model._meta.get_field("simulation_id"))
        columns = [name for name in columns if name != "simulation_id"] + ["simulation_id"]
    attributes: dict[str, Any] = {
        "list_display": columns,
        "list_filter": [name for name, field in fields.items() if _has_few_values(name, field)],
        "search_fields": [found for each in fields.items() if (found := _search_of(*each))],
        "exclude": [
            field.name for field in model._meta.fields if isinstance(field, _UNREADABLE)
        ],
    }
    first = fields.get(columns[0])
    if isinstance(first, models.DateTimeField):
        attributes["ordering"] = (f"-{columns[0]}",)
    return type(f"{model.__name__}Admin", (ReadOnlyAdmin,), attributes)


def _has_few_values(name: str, field: Any) -> bool:
    return isinstance(field, models.BooleanField) or bool(field.choices) or name in _FILTERS


def _search_of(name: str, field: Any) -> str | None:
    """Return the search of a field as a page has it; None for a field that is not searched."""
    if isinstance(field, models.TextField) or name in _WORDS:
        return name
    is_key = isinstance(field, _EXACT) or name == "number"
    return f"={name}" if is_key and not field.choices else None


for _model in apps.get_models():
    if _model.__module__.startswith("apps.") and not site.is_registered(_model):
        site.register(_model, _page_of(_model, _COLUMNS[_model._meta.label_lower].split()))
