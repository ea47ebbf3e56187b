"""The rows of decisions about reactions, their projection, and the statements on them."""

from typing import ClassVar

from django.db import models

from apps.eventlog.event import Recorded
from apps.eventlog.projection import Projection, row_of
from apps.lineage.history_rows import RowOfAgent, index, unique
from apps.reaction.events import ReactionDecided


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


REACTIONS = Projection(models=(WeighedRow,), handlers={ReactionDecided: _weighed})


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
    'acted_on_tick', (
        SELECT max(tick) FROM reaction_weighedrow
        WHERE simulation_id = %(simulation)s AND agent = %(agent)s AND subject = %(object)s
            AND choice = 'act' AND decisive AND tick <= %(before)s
    )"""
