"""The statement that reads the records of an agent's own stream, in one round trip.

It reads rows of several apps, as of the end of the tick %(before)s; a test holds its answer to
plain Python over these rows. `own_stream.records_of` reads the keys of the answer. A part has
named queries for WITH, and keys with their values.
"""

from apps.simulation.turn.context.plan_statement import PLAN_RECORDS, PLAN_TABLES
from apps.simulation.turn.context.talk_statement import TALK_RECORDS, TALK_TABLES

_TABLES = """\
reflected AS (
    SELECT max(tick) AS tick, coalesce(max(tick) - 1, -1) AS after
    FROM reflection_reflectionrow
    WHERE simulation_id = %(simulation)s AND agent = %(agent)s AND tick <= %(before)s
        AND kind = 'insights'
)"""

_RECORDS = """\
    'next_memory', 1 + coalesce((
        SELECT number FROM memory_memoryrow
        WHERE simulation_id = %(simulation)s AND agent = %(agent)s AND formed_tick <= %(before)s
        ORDER BY number DESC LIMIT 1
    ), 0),
    'refusals', (
        SELECT json_agg(json_build_object('tick', tick, 'node', node, 'why', why)
            ORDER BY tick, id)
        FROM agents_turnedawayrow
        WHERE simulation_id = %(simulation)s AND agent = %(agent)s
            AND tick BETWEEN least(%(action_from)s, (SELECT from_tick FROM action), (
                SELECT from_tick FROM planned
                WHERE level = 'hour' AND from_tick <= %(tick)s
                ORDER BY from_tick DESC, number DESC LIMIT 1
            ))
            AND %(before)s
    ),
    'admissions', (
        SELECT json_agg(json_build_object('node', node, 'host', host) ORDER BY node)
        FROM agents_admissionrow
        WHERE simulation_id = %(simulation)s AND agent = %(agent)s
            AND from_tick <= %(before)s AND (to_tick IS NULL OR to_tick > %(before)s)
    ),
    'unanswered', (
        SELECT json_agg(node) FROM (
            SELECT node FROM agents_turnedawayrow
            WHERE simulation_id = %(simulation)s AND agent = %(agent)s
                AND tick BETWEEN %(knocked_from)s AND %(before)s
            GROUP BY node HAVING count(*) >= %(knocks_max)s
        ) AS refused
    ),
    'let_in', (
        SELECT json_agg(json_build_object('visitor', visitor, 'node', node, 'tick', tick)
            ORDER BY tick, visitor)
        FROM agents_dooropeningrow
        WHERE simulation_id = %(simulation)s AND agent = %(agent)s
            AND tick BETWEEN %(let_in_from)s AND %(before)s
    ),
    'importance', (
        SELECT coalesce(sum(rating), 0) FROM memory_memoryrow
        WHERE simulation_id = %(simulation)s AND agent = %(agent)s AND perceived
            AND formed_tick > (SELECT after FROM reflected)
            AND formed_tick <= %(before)s AND rated_tick <= %(before)s
    ) + (
        SELECT coalesce(sum(rating), 0)
        FROM memory_repetitionrow AS again
        JOIN memory_memoryrow AS memory USING (simulation_id, agent, number)
        WHERE again.simulation_id = %(simulation)s AND again.agent = %(agent)s AND perceived
            AND from_tick > (SELECT after FROM reflected)
            AND from_tick <= %(before)s AND rated_tick <= %(before)s
    ) + %(routine)s * (
        SELECT count(*) FROM agents_seenagentrow
        WHERE simulation_id = %(simulation)s AND agent = %(agent)s
            AND from_tick > (SELECT after FROM reflected)
            AND from_tick <= %(before)s
    ),
    'unrated', (
        SELECT json_agg(json_build_object(
            'number', number, 'kind', kind, 'origin', origin, 'description', description,
            'subject', subject, 'scheduled', scheduled, 'perceived', perceived
        ) ORDER BY number)
        FROM memory_memoryrow
        WHERE simulation_id = %(simulation)s AND agent = %(agent)s
            AND (rated_tick IS NULL OR rated_tick > formed_tick)
            AND (rated_tick IS NULL OR rated_tick > %(before)s)
            AND formed_tick <= %(before)s
    ),
    'last_reflected', (SELECT tick FROM reflected),
    'last_consolidated', (
        SELECT max(tick) FROM reflection_reflectionrow
        WHERE simulation_id = %(simulation)s AND agent = %(agent)s AND tick <= %(before)s
            AND kind = 'consolidation' AND jsonb_array_length(insights) > 0
    ),
    'summary', (
        SELECT json_build_object(
            'core', core, 'occupation', occupation, 'feeling', feeling, 'text', text,
            'from_tick', from_tick, 'due_tick', due_tick
        )
        FROM self_summary_selfsummaryrow
        WHERE simulation_id = %(simulation)s AND agent = %(agent)s
            AND from_tick <= %(before)s AND (to_tick IS NULL OR to_tick > %(before)s)
        ORDER BY from_tick DESC LIMIT 1
    ),
    'facts', (
        SELECT json_agg(json_build_object(
            'number', number, 'kind', kind, 'other', other, 'tie', tie, 'standing', standing,
            'statements', statements, 'opinion', opinion, 'evidence', evidence, 'until', until,
            'source', source, 'from_tick', from_tick
        ) ORDER BY number)
        FROM facts_factrow
        WHERE simulation_id = %(simulation)s AND agent = %(agent)s
            AND from_tick <= %(before)s AND (to_tick IS NULL OR to_tick > %(before)s)
    ),
    'next_fact', 1 + coalesce((
        SELECT max(number) FROM facts_factrow
        WHERE simulation_id = %(simulation)s AND agent = %(agent)s
            AND from_tick <= %(before)s
    ), 0)"""

RECORDS = (
    f"WITH {PLAN_TABLES},\n{_TABLES},\n{TALK_TABLES}\n"
    f"SELECT json_build_object(\n{PLAN_RECORDS},\n{_RECORDS},\n{TALK_RECORDS}\n)::text"
)
