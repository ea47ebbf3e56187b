"""The rows of counterfactuals, which are not derived from the log."""

from django.db import models

from apps.work.rows import WorkRow


class CounterfactualRow(WorkRow):
    """A branch of `simulation` at `at_tick`, and both compared at the end of `until_tick`.

    `interventions` are those of the branch. `are_runs_requested` is set once the branch, and
    the parent if it has not come to the end, were asked to run.

    `first_difference` is the id of an event, "" without one; `differences` has an agent, the
    id of its first difference and the streams of its chain for each agent whose history
    differs. `same_calls` counts the calls of the branch that the parent has made with the same
    request.
    """

    simulation = models.ForeignKey("simulation.SimulationRow", on_delete=models.CASCADE)
    branch = models.ForeignKey(
        "simulation.SimulationRow",
        on_delete=models.CASCADE,
        related_name="counterfactuals_of_branch",
    )
    at_tick = models.IntegerField()
    until_tick = models.IntegerField()
    interventions = models.JSONField(default=list)
    are_runs_requested = models.BooleanField(default=False)
    first_difference = models.CharField(max_length=160, blank=True, default="")
    same_calls = models.IntegerField(null=True)
    differences = models.JSONField(default=list)

    class Meta(WorkRow.Meta):
        """Found by state."""

        verbose_name = "counterfactual"
