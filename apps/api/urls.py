"""The routes of the API."""

from django.urls import URLPattern, URLResolver, include, path, re_path
from django.views.decorators.csrf import csrf_exempt

from apps.api.http import error_handlers
from apps.api.operations import documentation, health, metrics
from apps.api.resources import (
    archives,
    attendance,
    claims,
    commands,
    comparisons,
    conversations,
    costs,
    events,
    facts,
    forks,
    interventions,
    interviews,
    members,
    memories,
    model_calls,
    models,
    news_searches,
    object_states,
    plans,
    plots,
    quality,
    questionnaires,
    ranking_estimates,
    ranking_reports,
    rankings,
    recordings,
    reflections,
    relationships,
    replays,
    retrievals,
    routines,
    social,
    state,
    surveys,
    worlds,
    written_answers,
)
from apps.api.resources.agents import views as agents
from apps.api.resources.counterfactuals import views as counterfactuals
from apps.api.resources.embodiments import views as embodiments
from apps.api.resources.experiments import result_views as experiment_results
from apps.api.resources.experiments import table_views as experiment_tables
from apps.api.resources.experiments import views as experiments
from apps.api.resources.simulations import views as simulations
from apps.api.streaming import views as stream

_AGENT: list[URLPattern | URLResolver] = [
    path("", agents.OneAgent.as_view(), name="agent"),
    path("/summary", agents.AgentSummary.as_view(), name="summary"),
    path("/known-places", agents.KnownPlaces.as_view(), name="known-places"),
    path("/timeline", agents.Timeline.as_view(), name="timeline"),
    path("/plan", plans.DayPlan.as_view(), name="plan"),
    path("/memories", memories.Memories.as_view(), name="memories"),
    path("/memories/<str:number>", memories.OneMemory.as_view(), name="memory"),
    path("/reflections", reflections.Reflections.as_view(), name="reflections"),
    path("/facts", facts.Facts.as_view(), name="facts"),
    path("/retrievals", retrievals.Retrievals.as_view(), name="retrievals"),
    path("/interviews", interviews.Interviews.as_view(), name="ask"),
    path("/inner-voice", interventions.InnerVoice.as_view(), name="inner-voice"),
    path("/observations", interventions.Observations.as_view(), name="observations"),
    path("/embodiment", embodiments.Embody.as_view(), name="embody"),
]
_EVENT: list[URLPattern | URLResolver] = [
    path("", events.OneEvent.as_view(), name="event"),
    path("/provenance", events.Provenance.as_view(), name="provenance"),
]
_SIMULATION: list[URLPattern | URLResolver] = [
    path("", simulations.OneSimulation.as_view(), name="simulation"),
    path("/run", simulations.RunSimulation.as_view(), name="run"),
    path("/pause", simulations.PauseSimulation.as_view(), name="pause"),
    path("/export", archives.Export.as_view(), name="export"),
    path("/settings", simulations.SimulationSettingsView.as_view(), name="settings"),
    path("/members", members.Members.as_view(), name="members"),
    path("/members/<str:username>", members.OneMember.as_view(), name="member"),
    path("/state", state.SimulationState.as_view(), name="state"),
    path("/world", worlds.WorldTreeView.as_view(), name="world"),
    path("/world/map", worlds.WorldMap.as_view(), name="map"),
    path("/world/assets/<path:file>", worlds.WorldAsset.as_view(), name="asset"),
    path("/agents", agents.Agents.as_view(), name="agents"),
    path("/agents/<str:agent>", include(_AGENT)),
    path("/stream", stream.EventStream.as_view(), name="stream"),
    path("/events", events.Events.as_view(), name="events"),
    path("/events/<str:tick>/<str:stream>/<str:ordinal>", include(_EVENT)),
    path("/model-calls", model_calls.ModelCalls.as_view(), name="model-calls"),
    path("/model-calls/outcomes", model_calls.Outcomes.as_view(), name="model-call-outcomes"),
    path(
        "/model-calls/<str:tick>/<str:stream>/<str:llm_task>/<str:call>",
        model_calls.OneModelCall.as_view(),
        name="model-call",
    ),
    path("/memories", memories.AllMemories.as_view(), name="all-memories"),
    path("/utterances", conversations.Utterances.as_view(), name="utterances"),
    path("/interviews", interviews.PastInterviews.as_view(), name="interviews"),
    path("/interviews/<str:interview>", interviews.OneInterview.as_view(), name="interview"),
    path("/objects/state", object_states.ObjectState.as_view(), name="object-state"),
    path("/conversations", conversations.Conversations.as_view(), name="conversations"),
    path(
        "/conversations/<str:tick>/<str:opener>",
        conversations.OneConversation.as_view(),
        name="conversation",
    ),
    path("/relationships", relationships.SocialNetwork.as_view(), name="relationships"),
    path("/comparisons/<str:other>", comparisons.Comparisons.as_view(), name="comparison"),
    path("/forks", forks.Forks.as_view(), name="forks"),
    path("/counterfactuals", counterfactuals.Counterfactuals.as_view(), name="counterfactuals"),
    path(
        "/counterfactuals/estimate",
        counterfactuals.CounterfactualEstimates.as_view(),
        name="counterfactual-estimate",
    ),
    path(
        "/counterfactuals/<str:counterfactual>",
        counterfactuals.OneCounterfactual.as_view(),
        name="counterfactual",
    ),
    path(
        "/counterfactuals/<str:counterfactual>/resume",
        counterfactuals.ResumedCounterfactual.as_view(),
        name="counterfactual-resume",
    ),
    path("/replays", replays.Replays.as_view(), name="replays"),
    path("/replays/<str:replay>", replays.OneReplay.as_view(), name="replay"),
    path("/replays/<str:replay>/resume", replays.ResumedReplay.as_view(), name="replay-resume"),
    path("/quality", quality.Quality.as_view(), name="quality"),
    path("/quality/badge.svg", quality.QualityBadge.as_view(), name="quality-badge"),
    path("/social", social.Social.as_view(), name="social"),
    path("/diffusion", social.NewsDiffusion.as_view(), name="diffusion"),
    path("/attendance", attendance.GatheringAttendance.as_view(), name="attendance"),
    path("/news-searches", news_searches.NewsSearches.as_view(), name="news-searches"),
    path(
        "/news-searches/estimate",
        news_searches.NewsSearchEstimates.as_view(),
        name="news-search-estimate",
    ),
    path(
        "/news-searches/<str:search>",
        news_searches.OneNewsSearch.as_view(),
        name="news-search",
    ),
    path(
        "/news-searches/<str:search>/resume",
        news_searches.ResumedNewsSearch.as_view(),
        name="news-search-resume",
    ),
    path(
        "/news-searches/<str:search>/diffusion",
        news_searches.SearchedDiffusion.as_view(),
        name="verified-diffusion",
    ),
    path("/routines", routines.Routines.as_view(), name="routines"),
    path("/plots", plots.Plots.as_view(), name="plots"),
    path("/plots/<str:plot>.svg", plots.PlotImage.as_view(), name="plot"),
    path("/recording", recordings.RecordingFile.as_view(), name="recording"),
    path("/surveys", surveys.Surveys.as_view(), name="surveys"),
    path("/surveys/estimate", surveys.SurveyEstimates.as_view(), name="survey-estimate"),
    path("/surveys/<str:survey>", surveys.OneSurvey.as_view(), name="survey"),
    path(
        "/surveys/<str:survey>/interviews",
        surveys.SurveyInterviews.as_view(),
        name="survey-interviews",
    ),
    path(
        "/surveys/<str:survey>/written-answers",
        written_answers.WrittenAnswers.as_view(),
        name="written-answers",
    ),
    path(
        "/surveys/<str:survey>/written-answers/batch",
        written_answers.WrittenAnswerBatch.as_view(),
        name="written-answer-batch",
    ),
    path("/surveys/<str:survey>/rankings", rankings.Rankings.as_view(), name="rankings"),
    path(
        "/surveys/<str:survey>/rankings/estimate",
        ranking_estimates.RankingEstimates.as_view(),
        name="ranking-estimate",
    ),
    path(
        "/surveys/<str:survey>/rankings/<str:ranking>",
        rankings.OneRanking.as_view(),
        name="ranking",
    ),
    path(
        "/surveys/<str:survey>/rankings/<str:ranking>/resume",
        rankings.ResumedRanking.as_view(),
        name="ranking-resume",
    ),
    path(
        "/surveys/<str:survey>/rankings/<str:ranking>/tasks",
        rankings.RankingTasks.as_view(),
        name="ranking-tasks",
    ),
    path(
        "/surveys/<str:survey>/rankings/<str:ranking>/tasks/<str:task>/judgement",
        rankings.RankingJudgement.as_view(),
        name="ranking-judgement",
    ),
    path(
        "/surveys/<str:survey>/rankings/<str:ranking>/next-task",
        rankings.NextTask.as_view(),
        name="ranking-next-task",
    ),
    path(
        "/surveys/<str:survey>/rankings/<str:ranking>/judgements",
        rankings.RankingJudgements.as_view(),
        name="ranking-judgements",
    ),
    path(
        "/surveys/<str:survey>/rankings/<str:ranking>/report",
        ranking_reports.RankingReports.as_view(),
        name="ranking-report",
    ),
    path(
        "/surveys/<str:survey>/rankings/<str:ranking>/ratings.svg",
        ranking_reports.RatingFigure.as_view(),
        name="ranking-figure",
    ),
    path("/surveys/<str:survey>/claims", claims.SurveyClaims.as_view(), name="survey-claims"),
    path("/surveys/<str:survey>/resume", surveys.ResumedSurvey.as_view(), name="survey-resume"),
    path("/commands", commands.Commands.as_view(), name="commands"),
    path("/commands/<str:command>", commands.OneCommand.as_view(), name="command"),
    path("/embodiments", embodiments.Embodiments.as_view(), name="embodiments"),
    path(
        "/embodiments/<str:embodiment>", embodiments.OneEmbodiment.as_view(), name="embodiment"
    ),
    path(
        "/embodiments/<str:embodiment>/actions",
        embodiments.EmbodiedActions.as_view(),
        name="embodied-actions",
    ),
    path("/visitors", embodiments.Visitors.as_view(), name="visitors"),
    path("/costs", costs.Costs.as_view(), name="costs"),
    path("/costs/estimate", costs.Estimate.as_view(), name="cost-estimate"),
]
_EXPERIMENT: list[URLPattern | URLResolver] = [
    path("", experiments.OneExperiment.as_view(), name="experiment"),
    path("/pause", experiments.PausedExperiment.as_view(), name="experiment-pause"),
    path("/resume", experiments.ResumedExperiment.as_view(), name="experiment-resume"),
    path("/cancel", experiments.CancelledExperiment.as_view(), name="experiment-cancel"),
    path("/runs", experiment_results.ExperimentRuns.as_view(), name="experiment-runs"),
    path("/events", experiment_results.ExperimentEvents.as_view(), name="experiment-events"),
    path("/results", experiment_results.ExperimentResults.as_view(), name="experiment-results"),
    path(
        "/summary", experiment_results.ExperimentSummaries.as_view(), name="experiment-summary"
    ),
    path(
        "/results.csv",
        experiment_tables.ResultsTable.as_view(),
        name="experiment-results-table",
    ),
    path(
        "/summary.csv",
        experiment_tables.SummaryTable.as_view(),
        name="experiment-summary-table",
    ),
    path("/runs.csv", experiment_tables.RunsTable.as_view(), name="experiment-runs-table"),
    path(
        "/results.parquet",
        experiment_tables.ResultsParquet.as_view(),
        name="experiment-results-parquet",
    ),
    path(
        "/summary.parquet",
        experiment_tables.SummaryParquet.as_view(),
        name="experiment-summary-parquet",
    ),
    path(
        "/runs.parquet", experiment_tables.RunsParquet.as_view(), name="experiment-runs-parquet"
    ),
    path("/plots", experiment_results.ReportFigures.as_view(), name="experiment-figures"),
    path(
        "/plots/<str:figure>.svg",
        experiment_results.ReportFigure.as_view(),
        name="experiment-figure",
    ),
    path("/report.html", experiment_results.ReportPage.as_view(), name="experiment-report"),
    path("/report.md", experiment_results.ReportText.as_view(), name="experiment-report-text"),
]
_VERSION_1: list[URLPattern | URLResolver] = [
    path("schema", documentation.Schema.as_view(), name="schema"),
    path("docs", documentation.Docs.as_view(), name="docs"),
    path("worlds", worlds.Worlds.as_view(), name="worlds"),
    path("models", models.Models.as_view(), name="models"),
    path("questionnaires", questionnaires.Questionnaires.as_view(), name="questionnaires"),
    path(
        "questionnaires/<str:questionnaire>",
        questionnaires.OneQuestionnaire.as_view(),
        name="questionnaire",
    ),
    path("measures", experiments.Measures.as_view(), name="measures"),
    path("experiments", experiments.Experiments.as_view(), name="experiments"),
    path(
        "experiments/estimate",
        experiments.ExperimentEstimates.as_view(),
        name="experiment-estimate",
    ),
    path("experiments/<str:experiment>", include(_EXPERIMENT)),
    path("costs/estimate", costs.EstimateOfDays.as_view(), name="estimate-of-days"),
    path("simulations", simulations.Simulations.as_view(), name="simulations"),
    path("simulations/imports", archives.Imports.as_view(), name="imports"),
    path("simulations/<str:simulation>", include(_SIMULATION)),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("", documentation.front_end, name="page"),
    path("rank.html", documentation.front_end, {"file": "rank.html"}, name="ranking-page"),
    re_path(
        r"^(?P<file>(?:css|js)/(?:[a-z_]+/)?[a-z_]+\.(?:css|js))$",
        documentation.front_end,
        name="page-file",
    ),
    path("health", health.Health.as_view(), name="health"),
    path("metrics", metrics.Metrics.as_view(), name="metrics"),
    path("api/v1/", include(_VERSION_1)),
    # An unknown address is a problem document with DEBUG on, too.
    re_path("^api/", csrf_exempt(error_handlers.not_found)),
]
