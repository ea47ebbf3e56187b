"""The rows of replays, which are not derived from the log."""

from django.db import models

from apps.work.rows import WorkRow


class ReplayRow(WorkRow):
    """A replay of the ticks [from_tick, to_tick], and what it has compared so far.

    `tick` is that of the latest compared turn; `divergence` is the first event that differs in
    the form of `comparison.divergence_json`, None without one.
    """

    simulation = models.ForeignKey("simulation.SimulationRow", on_delete=models.CASCADE)
    from_tick = models.IntegerField()
    to_tick = models.IntegerField()
    tick = models.IntegerField(null=True)
    turns = models.IntegerField(default=0)
    events = models.IntegerField(default=0)
    calls = models.IntegerField(default=0)
    changed_calls = models.IntegerField(default=0)
    changed_call = models.CharField(max_length=240, blank=True, default="")
    divergence = models.JSONField(null=True)

    class Meta(WorkRow.Meta):
        """Found by state."""

        verbose_name = "replay"

    def __str__(self) -> str:
        """Return the ticks and the state."""
        return f"{self.from_tick} to {self.to_tick}: {self.state}"
