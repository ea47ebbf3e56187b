"""The bodies, parameters and responses of rankings."""

from rest_framework import serializers

from apps.api.http.fields import (
    Choice,
    Clock,
    ResourceURL,
    Serializer,
    Strict,
    Text,
    Whole,
)
from apps.api.http.lists import Paged, order_parameter, search_parameter
from apps.api.http.value_serializers import serializer_of
from apps.api.resources.costs import WorkEstimate
from apps.api.resources.work import LimitedWork, Progress, TokenLimit, stored_reason
from apps.evaluation.rankings.queries import CONDITIONS_MAX, HUMAN
from apps.evaluation.statistics.rank_tests import RankTest
from apps.kernel.requested_values import REASON_CHARACTERS_MAX

CONDITION_CHARACTERS_MAX = 60
SEED_MAX = 2**63 - 1
QUESTIONS_MAX = 1_000
REPORT_FORMATS = ("json", "csv", "svg", "html", "markdown")
REPORT_TABLES = ("conditions", "pairs")


class RequestedRanking(TokenLimit):
    """Who ranks the answers of a survey, and which of them."""

    judge = Text(
        max_length=64,
        help_text="`people` submit ranks over HTTP. `model` is the simulation's model; others "
        "are listed by `GET /judges`. `rule` ranks by the share of an answer that the agent's "
        "memories support, without a model.",
    )
    seed = serializers.IntegerField(
        required=False,
        default=0,
        min_value=0,
        max_value=SEED_MAX,
        help_text="Of the random orders and of the bootstrap intervals.",
    )
    conditions = serializers.ListField(
        child=Text(max_length=CONDITION_CHARACTERS_MAX),
        required=False,
        min_length=2,
        max_length=CONDITIONS_MAX,
        help_text=f"Conditions of the survey, and `{HUMAN}` for written answers; all that have "
        "answers, if left out.",
    )
    questions_per_category = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=QUESTIONS_MAX,
        help_text="So many random questions of each category for each agent and moment; all, "
        "if left out. Each evaluator of the paper had one.",
    )
    reason = stored_reason("ranking")


class RankingEstimate(WorkEstimate):
    """The expected use of a ranking; none of one by people."""

    tasks = serializers.IntegerField(min_value=0, help_text="Questions to rank.")
    left_out = serializers.IntegerField(
        min_value=0, help_text="Questions without an answer under one of the conditions."
    )


class RankingProgressCounts(Progress):
    """The questions of a ranking with a judgement, and the judgements."""

    judgements = serializers.IntegerField(min_value=0)
    invalid = serializers.IntegerField(
        min_value=0, help_text="Of the judgements, those without valid ranks; counted nowhere."
    )


class ConditionRanking(LimitedWork):
    """A ranking of the answers of a survey and its progress."""

    id = serializers.UUIDField()
    status_url = ResourceURL(
        "getRanking", simulation="simulation_id", survey="survey_id", ranking="id"
    )
    judge = serializers.CharField()
    seed = serializers.IntegerField(min_value=0)
    conditions = serializers.ListField(child=serializers.CharField())
    left_out = serializers.IntegerField(
        min_value=0, help_text="Questions without an answer under one of the conditions."
    )
    progress = RankingProgressCounts()


class BlindAnswer(Serializer):
    """An answer without its condition."""

    letter = serializers.CharField()
    answer = serializers.CharField()


class RankingTask(Serializer):
    """The answers to one question of one agent at one moment, in random order."""

    id = serializers.UUIDField()
    agent = serializers.CharField()
    as_of = Clock(source="as_of_tick")
    question = serializers.CharField()
    category = serializers.CharField()
    text = serializers.CharField(help_text="The question as it was asked.")
    answers = BlindAnswer(many=True)
    your_ranks = serializers.DictField(
        child=serializers.FloatField(),
        allow_null=True,
        help_text="The ranks that you have given, by letter; null if you have not.",
    )
    your_reason = serializers.CharField(
        help_text='The reason that you have given with them; "" if you have not.'
    )


class NextRankingTask(Serializer):
    """The next task that you have not ranked, and your progress."""

    tasks = serializers.IntegerField(min_value=0, help_text="All tasks of the ranking.")
    ranked = serializers.IntegerField(min_value=0, help_text="Those that you have ranked.")
    agent_name = serializers.CharField(
        allow_null=True, help_text="The name of the agent that was asked; null without a task."
    )
    task = RankingTask(allow_null=True, help_text="Null if you have ranked all.")


class RankingTaskFilters(Paged):
    """The filters and the order of the tasks of a ranking."""

    is_ranked = serializers.BooleanField(
        required=False, help_text="Only tasks that you have ranked, or only the others."
    )
    search = search_parameter("agent, category, question")
    order = order_parameter("number")


class SubmittedRanks(Strict):
    """The ranks of the answers of a task."""

    ranks = serializers.DictField(
        child=Whole(min_value=1, max_value=CONDITIONS_MAX),
        help_text="A rank for each letter, 1 for the most believable answer; equal ones may "
        "have the same rank.",
    )
    reason = Text(
        max_length=REASON_CHARACTERS_MAX,
        required=False,
        help_text="The reason for the ranks; it is stored with them.",
    )


# The columns of downloads have the order of the fields: a new one is put last.
class Judgement(Serializer):
    """The ranks that an evaluator has given, by condition."""

    task = serializers.UUIDField(source="task_id")
    evaluator = serializers.CharField()
    agent = serializers.CharField(source="task.agent")
    as_of = Clock(source="task.as_of_tick")
    question = serializers.CharField(source="task.question")
    category = serializers.CharField(source="task.category")
    ranks = serializers.DictField(
        child=serializers.FloatField(),
        help_text="1 is the most believable; equal ones have the mean of their places.",
    )
    reason = serializers.CharField()
    parse_error = serializers.CharField(
        help_text='Why a model\'s ranks are not valid; "" if they are.'
    )
    model_calls = serializers.ListField(child=serializers.CharField())
    recorded_at = serializers.DateTimeField(
        source="judged_at", help_text="By the service's clock."
    )
    written_by = serializers.CharField(
        source="task.written_by",
        help_text=f'The user whose answer the condition `{HUMAN}` has; "" without one.',
    )


RankStatistic = serializer_of(RankTest, "RankStatistic")


class RatedCondition(Serializer):
    """The figures of a condition."""

    condition = serializers.CharField()
    mu = serializers.FloatField(help_text="TrueSkill's mean.")
    sigma = serializers.FloatField(help_text="TrueSkill's standard deviation.")
    mean_rank = serializers.FloatField(help_text="1 for one that always wins.")
    mean_rank_low = serializers.FloatField(
        allow_null=True, help_text="The end of a bootstrap interval of 95 %."
    )
    mean_rank_high = serializers.FloatField(allow_null=True)
    first_share = serializers.FloatField(
        min_value=0, max_value=1, help_text="Rankings in which no other is better."
    )
    plackett_luce_mu = serializers.FloatField(help_text="By openskill, on another scale.")
    plackett_luce_sigma = serializers.FloatField()
    paper_mu = serializers.FloatField(allow_null=True, help_text="As the paper prints it.")
    paper_sigma = serializers.FloatField(allow_null=True)


class ConditionPair(Serializer):
    """Two conditions."""

    one = serializers.CharField()
    other = serializers.CharField()
    dunn_p = serializers.FloatField(allow_null=True, help_text="Adjusted by Holm-Bonferroni.")
    nemenyi_p = serializers.FloatField(allow_null=True)
    d = serializers.FloatField(help_text="Positive if the first is rated above.")
    won = serializers.FloatField(
        min_value=0, max_value=1, help_text="Rankings with the first above, ties as half."
    )
    wins = serializers.FloatField(
        min_value=0, max_value=1, help_text="The probability of the same, by the ratings."
    )


class CategoryRank(Serializer):
    """The mean rank of a condition for the questions of a category."""

    category = serializers.CharField()
    condition = serializers.CharField()
    mean_rank = serializers.FloatField()


class RankingReportShown(Serializer):
    """The statistics of a ranking over its valid judgements so far."""

    ranking = serializers.UUIDField()
    questionnaire = serializers.CharField()
    judge = serializers.CharField()
    answered_by = serializers.CharField(help_text="The model that gave the ranked answers.")
    without_value = serializers.DictField(
        child=serializers.IntegerField(min_value=1),
        help_text="The answers of the survey without a value, by `no_value` of interviews.",
    )
    evaluators = serializers.IntegerField(min_value=0)
    seed = serializers.IntegerField(min_value=0)
    tasks = serializers.IntegerField(min_value=0)
    left_out = serializers.IntegerField(min_value=0)
    rankings = serializers.IntegerField(min_value=0)
    invalid = serializers.IntegerField(min_value=0)
    conditions = RatedCondition(many=True, help_text="From the highest rating to the lowest.")
    effect_size = serializers.FloatField(
        allow_null=True, help_text="Cohen's d of the highest and the lowest rating."
    )
    kruskal_wallis = RankStatistic()
    friedman = RankStatistic()
    pairs = ConditionPair(many=True)
    by_category = CategoryRank(many=True)


class ReportFormat(Strict):
    """The format of a report."""

    format = Choice(
        choices=REPORT_FORMATS,
        required=False,
        help_text="json; a table as csv; the ratings as an svg figure; a page as html or "
        "markdown. The header Accept can ask for the same by media type.",
    )
    table = Choice(
        choices=REPORT_TABLES,
        required=False,
        help_text="The table of a csv: a line for each condition with its ratings, by default, "
        "or for each pair of conditions with its tests (Dunn with Holm-Bonferroni, Nemenyi) "
        "and effect size.",
    )
