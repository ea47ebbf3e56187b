"""The SQL statements by which every turn reads and writes the rows of agents.

A writing statement ends rows and inserts new ones at once. The columns of an action are in the
order of the fields of `track.Action`.
"""

from apps.kernel.game_time import FOREVER_TICK

# --- Reading ---------------------------------------------------------------------------------

# An index has this expression. A comparison with it is one range of the index, also where a
# branch joins its ancestors; "IS NULL OR" would read all ended actions there.
ACTION_ENDS = f"coalesce(to_tick, {FOREVER_TICK})"

# An action that began and ended in the same tick is never valid.
TRACKS = f"""
SELECT
    agent, steps, from_tick, until_tick, description, emoji, area, object, object_state,
    asleep, towards, plan_item, event, kind, act, other, activity
FROM agents_actionrow
WHERE simulation_id = %(simulation)s AND from_tick <= %(to_tick)s
    AND {ACTION_ENDS} > %(from_tick)s AND {ACTION_ENDS} > from_tick
    AND (%(agents)s::text[] IS NULL OR agent = ANY(%(agents)s::text[]))
ORDER BY agent, from_tick
"""  # noqa: S608 (an expression of this module)

# Only the current tile of a path is fetched, none for an agent that has left.
STANDING = f"""
SELECT
    agent, (tile ->> 0)::int, (tile ->> 1)::int, from_tick, until_tick, description, emoji,
    area, object, object_state, asleep, towards, plan_item, event, kind, act, other, activity
FROM agents_actionrow
CROSS JOIN LATERAL (
    SELECT steps -> least(%(tick)s::int - from_tick, jsonb_array_length(steps) - 1) AS tile
) AS standing
WHERE simulation_id = %(simulation)s AND from_tick <= %(tick)s
    AND {ACTION_ENDS} > %(tick)s
ORDER BY agent
"""  # noqa: S608 (an expression of this module)

USES = """
SELECT agent, node, state, since_tick, from_tick, to_tick
FROM agents_userow
WHERE simulation_id = %(simulation)s AND from_tick <= %(to_tick)s
    AND (to_tick IS NULL OR to_tick > %(from_tick)s)
    AND (to_tick IS NULL OR to_tick > from_tick)
    AND (%(agents)s::text[] IS NULL OR agent = ANY(%(agents)s::text[]))
ORDER BY agent, from_tick
"""

# In the order of the fields of `sharing.SetState`.
SET_STATES = """
SELECT object, state, event, from_tick, to_tick, is_alarming
FROM agents_objectstaterow
WHERE simulation_id = %(simulation)s AND from_tick <= %(to_tick)s
    AND (to_tick IS NULL OR to_tick > %(from_tick)s)
ORDER BY from_tick, event
"""

LAST_SEEN = """
SELECT 0, subject, description, from_tick, area
FROM agents_seenagentrow
WHERE simulation_id = %(simulation)s AND agent = %(agent)s
    AND from_tick BETWEEN %(since)s AND %(tick)s AND (to_tick IS NULL OR to_tick > %(tick)s)
UNION ALL
SELECT 1, node, state, from_tick, ''
FROM agents_knownplacerow
WHERE simulation_id = %(simulation)s AND agent = %(agent)s
    AND from_tick BETWEEN %(since)s AND %(tick)s AND (to_tick IS NULL OR to_tick > %(tick)s)
"""

# The agents that an agent has seen, by hour.
SEEN_BY_HOUR = """
SELECT subject, min(from_tick)
FROM agents_seenagentrow
WHERE simulation_id = %(simulation)s AND agent = %(agent)s AND from_tick <= %(tick)s
GROUP BY subject, from_tick / %(ticks_per_hour)s
ORDER BY 2 DESC, subject
"""

# The sights of other agents and the own planned actions in some ticks (R1).
BEHAVIOURS = """
SELECT (
    SELECT count(*) FROM agents_seenagentrow
    WHERE simulation_id = %(simulation)s AND agent = %(agent)s
        AND from_tick > {after} AND from_tick <= {until}
) + (
    SELECT count(*) FROM agents_actionrow
    WHERE simulation_id = %(simulation)s AND agent = %(agent)s AND kind = 'planned'
        AND from_tick > {after} AND from_tick <= {until}
) AS behaviours
"""

# What agents did before they talked.
BEFORE_TALK = """
SELECT DISTINCT ON (agent) agent, description FROM agents_actionrow
WHERE simulation_id = %(simulation)s AND agent = ANY(%(talking)s)
    AND from_tick <= %(tick)s AND kind <> 'talking'
ORDER BY agent, from_tick DESC
"""

# Parts of the statement of own records (`apps.simulation.turn.context.own_stream`).
PLANNED_BEGUN = """
    SELECT description, from_tick, to_tick, plan_item, simulation_id, agent
    FROM agents_actionrow
    WHERE simulation_id = %(simulation)s AND agent = %(agent)s
        AND kind = 'planned' AND from_tick <= %(before)s
"""
REPORTED_OVER = """
            SELECT FROM agents_actreportrow AS report
            WHERE report.simulation_id = %(simulation)s AND report.agent = %(agent)s
                AND report.outcome <> %(goes_on)s AND report.tick <= %(before)s
"""
RECORDS = """\
    'act_reports', (
        SELECT json_agg(json_build_object(
            'plan_item', plan_item, 'outcome', outcome, 'area', area, 'tick', tick
        ) ORDER BY tick, id)
        FROM agents_actreportrow
        WHERE simulation_id = %(simulation)s AND agent = %(agent)s AND tick <= %(before)s
            AND (plan_item IN (SELECT number FROM planned WHERE level = 'action')
                OR (plan_item = 0 AND tick > %(day_before)s))
    ),
    'before_talk', (
        SELECT json_build_object('activity', description, 'kind', kind)
        FROM agents_actionrow
        WHERE simulation_id = %(simulation)s AND agent = %(agent)s
            AND from_tick <= %(before)s AND kind <> 'talking'
        ORDER BY from_tick DESC LIMIT 1
    ),
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
    )"""

# --- Writing ---------------------------------------------------------------------------------
# The conditions are those of the rows that a statement ends, which a branch copies before.

CURRENT = "agent = %(agent)s AND to_tick IS NULL"

ACT = f"""
WITH ended AS (
    UPDATE agents_actionrow SET to_tick = %(tick)s
    WHERE simulation_id = %(simulation)s AND agent = %(agent)s
        AND {ACTION_ENDS} = {FOREVER_TICK}
)
INSERT INTO agents_actionrow (
    simulation_id, agent, steps, from_tick, until_tick, description, emoji, area, object,
    object_state, asleep, towards, plan_item, event, kind, act, other, activity
) VALUES (
    %(simulation)s, %(agent)s, %(steps)s, %(tick)s, %(until_tick)s, %(description)s,
    %(emoji)s, %(area)s, %(object)s, %(object_state)s, %(asleep)s, %(towards)s,
    %(plan_item)s, %(event)s, %(kind)s, %(act)s, %(other)s, %(activity)s
)
"""  # noqa: S608 (a condition of this module)

# A walk ends the use of objects; an area with a capacity is left only at its door.
LEFT_BY_WALK = f"{CURRENT} AND (NOT is_area OR node = %(leaves)s)"
WALK_OFF = f"""
UPDATE agents_userow SET to_tick = %(tick)s
WHERE simulation_id = %(simulation)s AND {LEFT_BY_WALK}
"""  # noqa: S608 (a condition of this module)

# An action ends the use of other nodes; a continued use keeps its first tick.
LEFT_BY_ACTION = f"{CURRENT} AND node <> %(area)s"
USE_FROM_NOW = f"""
WITH ended AS (
    UPDATE agents_userow SET to_tick = %(tick)s
    WHERE simulation_id = %(simulation)s AND {LEFT_BY_ACTION}
    RETURNING node, since_tick
)
INSERT INTO agents_userow (simulation_id, agent, from_tick, node, is_area, state, since_tick)
SELECT
    %(simulation)s, %(agent)s, %(tick)s, %(object)s, false, %(object_state)s,
    coalesce(min(since_tick) FILTER (WHERE node = %(object)s), %(tick)s)
FROM ended
HAVING %(object)s <> ''
"""  # noqa: S608 (a condition of this module)

TRY_ENTRY = """
INSERT INTO agents_userow (simulation_id, agent, from_tick, node, is_area, state, since_tick)
VALUES (%(simulation)s, %(agent)s, %(tick)s, %(area)s, true, '', %(tick)s)
"""

SEEN_BEFORE = f"{CURRENT} AND subject = ANY(%(subjects)s)"
SEE = """
WITH seen AS (
    SELECT * FROM jsonb_to_recordset(%(seen)s) AS new(subject text, description text, area text)
),
ended AS (
    UPDATE agents_seenagentrow SET to_tick = %(tick)s
    WHERE simulation_id = %(simulation)s AND agent = %(agent)s AND to_tick IS NULL
        AND subject IN (SELECT subject FROM seen)
)
INSERT INTO agents_seenagentrow (simulation_id, agent, from_tick, subject, description, area)
SELECT %(simulation)s, %(agent)s, %(tick)s, subject, description, area FROM seen
"""

KNOWN_BEFORE = f"{CURRENT} AND node = ANY(%(nodes)s)"
KNOW = """
WITH known AS (SELECT * FROM jsonb_to_recordset(%(known)s) AS new(node text, state text)),
ended AS (
    UPDATE agents_knownplacerow SET to_tick = %(tick)s
    WHERE simulation_id = %(simulation)s AND agent = %(agent)s AND to_tick IS NULL
        AND node IN (SELECT node FROM known)
)
INSERT INTO agents_knownplacerow (simulation_id, agent, from_tick, node, state)
SELECT %(simulation)s, %(agent)s, %(tick)s, node, state FROM known
"""
