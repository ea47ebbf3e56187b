"""The rows of replays and trials of models, which are not derived from the log."""

from typing import ClassVar

from django.db import models

from apps.llm.models import RecordedChatCall
from apps.work.rows import LimitedWorkRow, WorkRow


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


class ModelTrialRow(LimitedWorkRow):
    """A trial of another model on the recorded calls of the ticks [from_tick, to_tick].

    `model` is its name. `recorded` has the number of recorded calls by LLM task, of which
    `calls` are asked again: at most `calls_per_task` of each, drawn by `seed`. `left_out` of
    these could not be asked, None while it is not known. `money` is the cost of the calls so
    far, `money_max` its limit, None for none.
    """

    simulation = models.ForeignKey("simulation.SimulationRow", on_delete=models.CASCADE)
    model = models.CharField(max_length=300)
    from_tick = models.IntegerField()
    to_tick = models.IntegerField()
    tasks = models.JSONField(default=list)
    calls_per_task = models.IntegerField()
    seed = models.BigIntegerField(default=0)
    recorded = models.JSONField(default=dict)
    calls = models.IntegerField()
    left_out = models.IntegerField(null=True)
    money = models.DecimalField(max_digits=16, decimal_places=8, default=0)
    money_max = models.DecimalField(max_digits=16, decimal_places=8, null=True)

    class Meta(LimitedWorkRow.Meta):
        """Found by state."""

        verbose_name = "model trial"


class TrialAnswerRow(RecordedChatCall):
    """The answer of the other model to one recorded call, with what that one had used.

    Costs are None where no price is known. `decision` and `recorded_decision` are the facts of
    both in order, None without one (`answers.decisions`); `is_equal` and `overlap` say how far
    they agree, None without two of them.
    """

    trial = models.ForeignKey(ModelTrialRow, on_delete=models.CASCADE, related_name="answers")
    cost = models.DecimalField(  # type: ignore[assignment]  # of a record it is always known
        max_digits=16, decimal_places=8, null=True
    )
    answer = models.JSONField()
    outcome = models.CharField(max_length=12)
    recorded_model = models.CharField(max_length=200)
    recorded_outcome = models.CharField(max_length=12)
    recorded_tokens = models.IntegerField()
    recorded_latency_ms = models.IntegerField()
    recorded_cost = models.DecimalField(max_digits=16, decimal_places=8, null=True)
    decision = models.JSONField(null=True)
    recorded_decision = models.JSONField(null=True)
    is_equal = models.BooleanField(null=True)
    overlap = models.FloatField(null=True)

    class Meta:
        """A call is answered once in a trial."""

        verbose_name = "answer of a model trial"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["trial", "call_id"], name="trial_answer_once")
        ]
