"""The parts of the statement of own records that read plans and what was done of them."""

from apps.agents.statements import PLANNED_BEGUN, REPORTED_OVER

TABLES = f"""\
items AS (
    SELECT
        number, parent, level, day, description, place, object, object_state, emoji, asleep,
        continues, free, importance, act, other, about, with_agents, planned_tick, from_tick,
        CASE WHEN valid_to_tick <= %(before)s THEN least(to_tick, kept_to_tick) ELSE to_tick
            END AS to_tick
    FROM planning_planitemrow
    WHERE simulation_id = %(simulation)s AND agent = %(agent)s
        AND level IN ('hour', 'action')
        AND from_tick > %(day_before)s AND to_tick > %(tick)s AND valid_from_tick <= %(before)s
),
planned AS (
    SELECT * FROM items WHERE to_tick > greatest(from_tick, %(tick)s)
),
action AS (
    SELECT * FROM planned WHERE level = 'action' AND from_tick <= %(tick)s
    ORDER BY from_tick DESC, number DESC LIMIT 1
),
undivided AS (
    SELECT day, description FROM planned
    WHERE level = 'hour' AND from_tick <= %(tick)s AND NOT EXISTS (SELECT FROM action)
    ORDER BY from_tick DESC, number DESC LIMIT 1
),
performed AS NOT MATERIALIZED (
    SELECT
        begun.description, begun.from_tick, begun.to_tick, part.importance, part.act,
        part.with_agents, hour.number AS hour, hour.continues, hour.day,
        hour.description AS activity, hour.place, hour.from_tick AS hour_begins,
        hour.to_tick AS hour_ends, hour.kept_to_tick, hour.valid_to_tick
    FROM ({PLANNED_BEGUN}) AS begun
    JOIN planning_planitemrow AS part
        ON part.simulation_id = begun.simulation_id AND part.agent = begun.agent
        AND part.number = begun.plan_item
    JOIN planning_planitemrow AS hour
        ON hour.simulation_id = part.simulation_id AND hour.agent = part.agent
        AND hour.number = part.parent
),
last_performed AS (
    SELECT day, activity FROM performed
    WHERE from_tick > %(day_before)s
    ORDER BY from_tick DESC LIMIT 1
),
unreported AS (
    SELECT
        number, parent, level, day, description, place, object, object_state, emoji, asleep,
        continues, free, importance, act, other, about, with_agents, planned_tick, from_tick,
        to_tick
    FROM planning_planitemrow AS item
    WHERE simulation_id = %(simulation)s AND agent = %(agent)s AND number = %(plan_item)s
        AND level = 'action' AND act = ANY(%(searches)s)
        AND to_tick <= %(tick)s AND from_tick > %(day_before)s
        AND NOT EXISTS (
            {REPORTED_OVER} AND report.plan_item = item.number
        )
),
plan_of_day AS (
    SELECT
        number, parent, level, day, description, place, asleep, free, from_tick,
        valid_from_tick,
        CASE WHEN valid_to_tick <= %(before)s THEN least(to_tick, kept_to_tick) ELSE to_tick
            END AS to_tick
    FROM planning_planitemrow
    WHERE simulation_id = %(simulation)s AND agent = %(agent)s
        AND day = (
            SELECT day FROM planned WHERE level = 'hour' ORDER BY from_tick, number LIMIT 1
        )
        AND level IN ('outline', 'hour') AND valid_from_tick <= %(before)s
),
revised AS (
    SELECT min(from_tick) AS tick FROM plan_of_day
    WHERE level = 'hour' AND valid_from_tick > (
        SELECT max(valid_from_tick) FROM plan_of_day WHERE level = 'outline'
    )
),
outline AS (
    SELECT
        number, parent, level, day, description, place, asleep, from_tick,
        CASE WHEN level = 'outline' THEN least(to_tick, revised.tick) ELSE to_tick
            END AS to_tick
    FROM plan_of_day CROSS JOIN revised
    WHERE NOT asleep AND NOT free AND (level = 'outline' OR from_tick >= revised.tick)
)"""  # noqa: S608 (parts of statements)

RECORDS = """\
    'next_plan_item', 1 + coalesce((
        SELECT number FROM planning_planitemrow
        WHERE simulation_id = %(simulation)s AND agent = %(agent)s
            AND valid_from_tick <= %(before)s
        ORDER BY number DESC LIMIT 1
    ), 0),
    'action', (SELECT row_to_json(action) FROM action),
    'next_actions', (
        SELECT json_agg(row_to_json(planned) ORDER BY from_tick, number)
        FROM planned WHERE level = 'action' AND from_tick > %(tick)s
            AND parent = (SELECT parent FROM action)
    ),
    'unreported', (SELECT row_to_json(unreported) FROM unreported),
    'hours', (
        SELECT json_agg(row_to_json(planned) ORDER BY from_tick, number)
        FROM planned WHERE level = 'hour'
    ),
    'outline', (
        SELECT json_agg(row_to_json(outline) ORDER BY from_tick, number)
        FROM outline WHERE to_tick > from_tick
    ),
    'done', (
        SELECT json_agg(json_build_object(
            'description', description, 'hour', hour, 'continues', continues,
            'hour_begins', hour_begins, 'hour_ends', hour_ends,
            'activity', activity, 'place', place,
            'is_cut', coalesce(
                valid_to_tick <= %(before)s AND kept_to_tick < hour_ends, false
            ),
            'is_recent', to_tick IS NULL OR to_tick > %(resumed_from)s,
            'from_tick', from_tick, 'to_tick', least(to_tick, %(tick)s),
            'importance', importance, 'act', act, 'with_agents', with_agents
        ) ORDER BY from_tick)
        FROM performed
        WHERE to_tick IS NULL
            OR to_tick > greatest(from_tick, %(resumed_from)s)
            OR (to_tick > greatest(from_tick, %(day_before)s)
                AND (day, activity) IN (
                    SELECT day, description FROM undivided
                    UNION ALL
                    SELECT day, activity FROM last_performed
                ))
    )"""
