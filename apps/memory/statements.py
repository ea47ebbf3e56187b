"""The parts of the statement of own records that read memories, facts and the summary."""

from apps.agents.statements import BEHAVIOURS

NEWS = """
SELECT subject, formed_tick, description, passing_on, number FROM memory_memoryrow
WHERE simulation_id = %(simulation)s AND agent = %(agent)s
    AND origin = ANY(%(news_origins)s) AND passing_on <> %(in_confidence)s
    AND rating >= %(news_importance)s
    AND rated_tick <= %(before)s
    AND formed_tick > %(day_before)s AND formed_tick <= %(before)s
    AND (superseded_tick IS NULL OR superseded_tick > %(before)s)
ORDER BY number DESC LIMIT %(news_max)s
"""

# The memory of a number.
NUMBERED = """
                SELECT number, description FROM memory_memoryrow
                WHERE simulation_id = %(simulation)s AND agent = %(agent)s AND number = {number}
"""

# The memory that a talk with another agent left, which ended at a tick.
GIST = """
                SELECT description AS gist FROM memory_memoryrow
                WHERE simulation_id = %(simulation)s AND agent = %(agent)s
                    AND (formed_tick = {tick} OR number IN (
                        SELECT number FROM memory_repetitionrow
                        WHERE simulation_id = %(simulation)s AND agent = %(agent)s
                            AND from_tick = {tick}
                    ))
                    -- The index of subjects has this collation, the slug in a talk another.
                    AND subject = {other} COLLATE "default"
                    AND kind = 'dialogue' AND origin = %(gist_origin)s
                ORDER BY number LIMIT 1
"""

RECORDS = f"""\
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
        {BEHAVIOURS.format(after="(SELECT after FROM reflected)", until="%(before)s")}
    ),
    'sights_of_hour', (
        SELECT count(*) FROM memory_memoryrow
        WHERE simulation_id = %(simulation)s AND agent = %(agent)s
            AND origin = ANY(%(sight_origins)s)
            AND formed_tick BETWEEN %(hour_before)s AND %(before)s
    ),
    'next_memory', 1 + coalesce((
        SELECT number FROM memory_memoryrow
        WHERE simulation_id = %(simulation)s AND agent = %(agent)s AND formed_tick <= %(before)s
        ORDER BY number DESC LIMIT 1
    ), 0),
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
    'summary', (
        SELECT json_build_object(
            'core', core, 'occupation', occupation, 'feeling', feeling, 'text', text,
            'from_tick', from_tick, 'due_tick', due_tick
        )
        FROM memory_selfsummaryrow
        WHERE simulation_id = %(simulation)s AND agent = %(agent)s
            AND from_tick <= %(before)s AND (to_tick IS NULL OR to_tick > %(before)s)
        ORDER BY from_tick DESC LIMIT 1
    ),
    'facts', (
        SELECT json_agg(json_build_object(
            'number', number, 'kind', kind, 'other', other, 'tie', tie, 'standing', standing,
            'statements', statements, 'opinion', opinion, 'evidence', evidence, 'until', until,
            'source', source, 'passing_on', passing_on, 'from_tick', from_tick
        ) ORDER BY number)
        FROM memory_factrow
        WHERE simulation_id = %(simulation)s AND agent = %(agent)s
            AND from_tick <= %(before)s AND (to_tick IS NULL OR to_tick > %(before)s)
    ),
    'next_fact', 1 + coalesce((
        SELECT max(number) FROM memory_factrow
        WHERE simulation_id = %(simulation)s AND agent = %(agent)s
            AND from_tick <= %(before)s
    ), 0)"""  # noqa: S608 (parts of statements)
