"""The bodies of requests for experiments."""

from apps.experiments.design import ExperimentDesign
from apps.kernel.request_models import RequestModel
from apps.llm.calls.budget import Budget
from apps.simulation.requested_values import Reason


class NewExperiment(ExperimentDesign):
    """An experiment that is to be carried out."""

    reason: Reason = ""
    """The reason; it is stored with the experiment."""


class ReasonToStop(RequestModel):
    """The reason of a pause or an end."""

    reason: Reason = ""
    """It is stored."""


class ResumedBudget(RequestModel):
    """Another budget, if the old one is spent."""

    budget: Budget | None = None
    """Of all runs together, from the beginning."""
