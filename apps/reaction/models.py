"""The rows of decisions about reactions, their projection, and the statements on them."""

from typing import ClassVar

from django.db import models

from apps.eventlog.event import Recorded
from apps.eventlog.projection import Projection, inserting, row_of
from apps.lineage.history_rows import RowOfAgent, index, unique
from apps.reaction.events import ReactionDecided, StateJudged


class WeighedRow(RowOfAgent):
    """A decision of an agent about a subject; `choice` as in its event.

    `decisive` marks the subject of the reaction; `event` is the id of the event.
    """

    subject = models.TextField(db_collation="C")
    tick = models.IntegerField()
    choice = models.CharField(max_length=8)
    decisive = models.BooleanField()
    what = models.TextField(blank=True, default="")
    event = models.CharField(max_length=160, db_collation="C")

    class Meta:
        """Unique by agent, subject and event."""

        verbose_name = "weighed perception"
        constraints: ClassVar = [unique("weighed_identity", "agent", "subject", "event")]
        indexes: ClassVar = [index("weighed_of_agent", "agent", "tick")]


class JudgedStateRow(RowOfAgent):
    """What an agent has judged of the state of an object, once for each state."""

    tick = models.IntegerField()
    object = models.CharField(max_length=300, db_collation="C")
    state = models.TextField()
    prevents = models.CharField(max_length=20)
    ends_by_itself = models.BooleanField()
    remedy = models.TextField(blank=True, default="")

    class Meta:
        """Unique by agent, object and state."""

        verbose_name = "judged state"
        constraints: ClassVar = [unique("judged_state_identity", "agent", "object", "state")]

    def __str__(self) -> str:
        """Return agent, object and state."""
        return f"{self.agent}: {self.object}: {self.state}"


def _weighed(event: ReactionDecided, recorded: Recorded) -> None:
    WeighedRow.objects.bulk_create(
        row_of(
            WeighedRow,
            recorded,
            event,
            subject=subject,
            decisive=subject == event.about,
            what=event.what if subject == event.about else "",
        )
        for subject in dict.fromkeys(event.subjects)
    )


REACTIONS = Projection(
    models=(WeighedRow, JudgedStateRow),
    handlers={ReactionDecided: _weighed, StateJudged: inserting(JudgedStateRow)},
)


LATEST_DECISIONS = """
SELECT DISTINCT ON (subject) subject, tick, choice, what
FROM reaction_weighedrow
WHERE simulation_id = %(simulation)s AND agent = %(agent)s AND decisive
    AND tick > %(day_before)s AND tick <= %(before)s
ORDER BY subject, tick DESC
"""

RECORDS = """\
    'decided_at', (
        SELECT json_object_agg(subject, tick) FROM (
            SELECT subject, max(tick) AS tick FROM reaction_weighedrow
            WHERE simulation_id = %(simulation)s AND agent = %(agent)s
                AND tick BETWEEN %(decided_from)s AND %(before)s
            GROUP BY subject
        ) AS latest
    ),
    'acted_on', (
        SELECT json_object_agg(subject, json_build_object('tick', tick, 'what', what)) FROM (
            SELECT DISTINCT ON (subject) subject, tick, what FROM reaction_weighedrow
            WHERE simulation_id = %(simulation)s AND agent = %(agent)s
                AND choice = 'act' AND decisive
                AND tick > %(day_before)s AND tick <= %(before)s
            ORDER BY subject, tick DESC
        ) AS latest
    ),
    'judged', (
        SELECT json_agg(json_build_object(
            'object', object, 'state', state,
            'prevents', prevents, 'ends_by_itself', ends_by_itself, 'remedy', remedy
        ) ORDER BY tick, id)
        FROM reaction_judgedstaterow
        WHERE simulation_id = %(simulation)s AND agent = %(agent)s AND tick <= %(before)s
    )"""
