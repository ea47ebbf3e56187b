"""The statement that reads the records of an agent's own stream, in one round trip.

It reads rows of several apps, as of the end of the tick %(before)s; a test holds its answer to
plain Python over these rows. Each app has the parts on its tables: named queries for WITH, and
keys with their values. `own_stream.records_of` reads the keys.
"""

from apps.agents import statements as of_agents
from apps.dialogue import statements as of_dialogue
from apps.memory import statements as of_memory
from apps.planning import statements as of_planning
from apps.reaction import models as of_reaction
from apps.reflection import queries as of_reflection

_PUT_OFF = f"""\
put_off AS (
    SELECT subject, tick, what FROM ({of_reaction.LATEST_DECISIONS}) AS latest
    WHERE choice = 'later' AND NOT EXISTS (
        {of_dialogue.TALKED} AND talk.other = latest.subject AND talk.from_tick > latest.tick
    ) AND NOT EXISTS (
        {of_dialogue.SAID} AND said.tick > latest.tick
            AND (said."to" = latest.subject OR said.participants ? latest.subject)
    )
)"""  # noqa: S608 (parts of statements)

_REASONS_TO_TALK = f"""\
    'put_off', (
        SELECT json_agg(
            json_build_object('other', subject, 'what', what) ORDER BY tick, subject
        ) FROM put_off
    ),
    'talk_records', (
        SELECT json_agg(row_to_json(reasons) ORDER BY tick, kind, other, text) FROM (
            SELECT 'agreed' AS kind, other, '[]'::jsonb AS besides,
                %(midnight)s + from_minute * %(ticks_per_minute)s AS tick, activity AS text
            FROM open_commitments
            WHERE day = %(today)s AND other = ANY(%(others)s)
                AND %(minute)s >= from_minute AND %(minute)s < to_minute
            UNION ALL
            {of_dialogue.UNANSWERED_TALKS}
            UNION ALL
            SELECT 'intended', subject, '[]', tick, what FROM put_off
            WHERE subject = ANY(%(others)s)
            UNION ALL
            ({of_dialogue.NEWS_TO_TELL})
        ) AS reasons
    )"""  # noqa: S608 (parts of statements)

_APPS = (of_agents, of_planning, of_memory, of_reflection, of_reaction, of_dialogue)
_TABLES = ",\n".join((of_planning.TABLES, of_reflection.TABLES, of_dialogue.TABLES, _PUT_OFF))
_RECORDS = ",\n".join((*(app.RECORDS for app in _APPS), _REASONS_TO_TALK))

RECORDS = f"WITH {_TABLES}\nSELECT json_build_object(\n{_RECORDS}\n)::text"
