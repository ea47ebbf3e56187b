"""The parts of the statement of own records that read reflections."""

TABLES = """\
reflected AS (
    SELECT max(tick) AS tick, coalesce(max(tick) - 1, -1) AS after
    FROM reflection_reflectionrow
    WHERE simulation_id = %(simulation)s AND agent = %(agent)s AND tick <= %(before)s
        AND kind = 'insights'
)"""

RECORDS = """\
    'last_reflected', (SELECT tick FROM reflected),
    'last_consolidated', (
        SELECT max(tick) FROM reflection_reflectionrow
        WHERE simulation_id = %(simulation)s AND agent = %(agent)s AND tick <= %(before)s
            AND kind = 'consolidation' AND jsonb_array_length(insights) > 0
    )"""
