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
    SELECT steps -> least(%(tick)s - from_tick, jsonb_array_length(steps) - 1) AS tile
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
