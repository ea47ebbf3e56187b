"""Requests for counterfactuals, and their representations."""

from rest_framework import serializers

from apps.api.http.fields import (
    NAME_CHARACTERS_MAX,
    Choice,
    Clock,
    Moment,
    ResourceURL,
    Serializer,
    Text,
    TextOrNull,
)
from apps.api.http.value_serializers import serializer_of
from apps.api.resources.branch_requests import ForkRequest
from apps.api.resources.costs import Estimated
from apps.api.resources.work import Work, stored_reason
from apps.counterfactuals import call_estimates
from apps.simulation.models import Status


class CounterfactualRequest(ForkRequest):
    """The branch, and the moment up to which it is run and compared."""

    until = Moment(help_text="The last compared moment; the simulation runs on if it has to.")
    reason = stored_reason("counterfactual")


class CounterfactualToEstimate(CounterfactualRequest):
    """The counterfactual to estimate."""

    name = Text(
        max_length=NAME_CHARACTERS_MAX,
        required=False,
        default="an estimate",
        help_text="As in the request of the counterfactual; it has no effect here.",
    )


ReachedAgent = serializer_of(
    call_estimates.ReachedAgent,
    clock=Clock(source="tick", help_text="The first turn that can differ."),
)
CounterfactualEstimate = serializer_of(
    call_estimates.CallEstimate,
    "CounterfactualEstimate",
    log_until=Clock(source="log_tick", help_text="The end of the log that it rests on."),
    new=Estimated(help_text="Of the branch: calls of agents since they are reached."),
    reused=Estimated(
        help_text="Of the branch: calls that the simulation has made with the same request. A "
        "remote model is not asked again."
    ),
    later=Estimated(
        help_text="Beyond the log: calls of the branch, and as many of the simulation."
    ),
)


class RunOfOne(Serializer):
    """The progress of one of the two simulations."""

    id = serializers.UUIDField(source="pk")
    url = ResourceURL("getSimulation", simulation="pk")
    clock = Clock(source="committed_tick", help_text="The committed tick.")
    status = Choice(choices=Status.choices)
    status_reason = serializers.CharField(
        source="reason", help_text="The reason of a pause; empty while it runs."
    )


class CallsOfBranch(Serializer):
    """The model calls of the branch after the fork."""

    paid = serializers.IntegerField(min_value=0)
    reused = serializers.IntegerField(
        min_value=0, help_text="Answered at no cost by the same call of the simulation."
    )
    same = serializers.IntegerField(
        min_value=0,
        allow_null=True,
        help_text="Those that the simulation has made with the same request; null before the "
        "comparison. A remote model is not asked again, so that they are `reused`; the "
        "rule-based model answers again, at no cost.",
    )
    tokens = serializers.IntegerField(min_value=0, help_text="Of the paid calls.")
    cost = serializers.FloatField(
        min_value=0, help_text="In the currency of the price list; 0 without a price."
    )


class DifferingAgent(Serializer):
    """An agent whose history differs."""

    agent = serializers.CharField(help_text="A slug.")
    event = serializers.CharField(help_text="The id of the first event that differs.")
    clock = Clock(source="tick")
    through = serializers.ListField(
        child=serializers.CharField(),
        help_text="The streams of the causal chain back to the first difference of all.",
    )


class RequestedIntervention(Serializer):
    """What users do at the first tick of the branch."""

    kind = serializers.CharField()
    agent = TextOrNull(allow_null=True)
    object_ = TextOrNull(allow_null=True)
    text = TextOrNull(allow_null=True)


class Counterfactual(Work):
    """A counterfactual: its progress, its cost, and what differs."""

    id = serializers.UUIDField()
    status_url = ResourceURL(
        "getCounterfactual", simulation="simulation_id", counterfactual="id"
    )
    name = serializers.CharField(help_text="Of the branch.")
    forked_at = Clock(source="at_tick", help_text="The last moment of the shared past.")
    until = Clock(source="until_tick", help_text="The last compared moment.")
    interventions = RequestedIntervention(many=True)
    simulation = RunOfOne()
    branch = RunOfOne()
    calls = CallsOfBranch()
    comparison_url = serializers.URLField(
        allow_null=True, help_text="The whole comparison; null before."
    )
    first_difference = TextOrNull(
        allow_null=True, help_text="The id of an event; null before, and without a difference."
    )
    agents = DifferingAgent(
        many=True, source="differences", help_text="In the order of their first differences."
    )
