"""The parts of the statement of own records that read decisions."""

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
