"""The bodies of requests for experiments."""

from apps.api.http.fields import Strict
from apps.api.resources.simulations.requests import BudgetField
from apps.experiments.design import ExperimentDesign
from apps.kernel.requested_values import Reason


class NewExperiment(ExperimentDesign):
    """An experiment that is to be carried out."""

    reason: Reason = ""
    """The reason; it is stored with the experiment."""


class ResumedBudget(Strict):
    """Another budget, if the old one is spent."""

    budget = BudgetField(required=False, help_text="Of all runs together, from the beginning.")
