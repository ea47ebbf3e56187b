"""The statements that every turn asks and writes people's rows with, written out.

Each ends what no longer holds and says what does in one go. The columns of an action stand
in the order of the fields of `track.Action`.
"""

# --- Asking ----------------------------------------------------------------------------------

# What somebody began and broke off in the same tick holds at no tick.
TRACKS = """
SELECT
    agent, steps, from_tick, until_tick, description, emoji, area, object, object_state,
    asleep, towards, plan_item, event, kind
FROM agents_actionrow
WHERE simulation_id = %(simulation)s AND from_tick <= %(to_tick)s
    AND (to_tick IS NULL OR to_tick > %(from_tick)s)
    AND (to_tick IS NULL OR to_tick > from_tick)
    AND (%(agents)s::text[] IS NULL OR agent = ANY(%(agents)s::text[]))
ORDER BY agent, from_tick
"""

# Of a path only the tile stood on is fetched; who has left town stands on none.
STANDING = """
SELECT
    agent, (tile ->> 0)::int, (tile ->> 1)::int, from_tick, until_tick, description, emoji,
    area, object, object_state, asleep, towards, plan_item, event, kind
FROM agents_actionrow
CROSS JOIN LATERAL (
    SELECT steps -> least(%(tick)s - from_tick, jsonb_array_length(steps) - 1) AS tile
) AS standing
WHERE simulation_id = %(simulation)s AND from_tick <= %(tick)s
    AND (to_tick IS NULL OR to_tick > %(tick)s)
ORDER BY agent
"""

USES = """
SELECT agent, node, state, since_tick, from_tick, to_tick
FROM agents_userow
WHERE simulation_id = %(simulation)s AND from_tick <= %(to_tick)s
    AND (to_tick IS NULL OR to_tick > %(from_tick)s)
    AND (to_tick IS NULL OR to_tick > from_tick)
    AND (%(agents)s::text[] IS NULL OR agent = ANY(%(agents)s::text[]))
ORDER BY agent, from_tick
"""

LAST_SEEN = """
SELECT 0, subject, description, from_tick
FROM agents_seenpersonrow
WHERE simulation_id = %(simulation)s AND agent = %(agent)s
    AND from_tick BETWEEN %(since)s AND %(tick)s AND (to_tick IS NULL OR to_tick > %(tick)s)
UNION ALL
SELECT 1, node, state, from_tick
FROM agents_knownplacerow
WHERE simulation_id = %(simulation)s AND agent = %(agent)s
    AND from_tick BETWEEN %(since)s AND %(tick)s AND (to_tick IS NULL OR to_tick > %(tick)s)
"""

# --- Writing ---------------------------------------------------------------------------------

ACT = """
WITH ended AS (
    UPDATE agents_actionrow SET to_tick = %(tick)s
    WHERE simulation_id = %(simulation)s AND agent = %(agent)s AND to_tick IS NULL
)
INSERT INTO agents_actionrow (
    simulation_id, agent, steps, from_tick, until_tick, description, emoji, area, object,
    object_state, asleep, towards, plan_item, event, kind
) VALUES (
    %(simulation)s, %(agent)s, %(steps)s, %(tick)s, %(until_tick)s, %(description)s,
    %(emoji)s, %(area)s, %(object)s, %(object_state)s, %(asleep)s, %(towards)s,
    %(plan_item)s, %(event)s, %(kind)s
)
"""

# Whoever walks off uses no object; an area that holds few is left at its door only.
WALK_OFF = """
UPDATE agents_userow SET to_tick = %(tick)s
WHERE simulation_id = %(simulation)s AND agent = %(agent)s AND to_tick IS NULL
    AND (NOT is_area OR node = %(leaves)s)
"""

# A room that holds few counts whoever acts in it; who acts elsewhere is not in it. Whoever
# goes on with the same object has used it since they began to.
USE_FROM_NOW = """
WITH ended AS (
    UPDATE agents_userow SET to_tick = %(tick)s
    WHERE simulation_id = %(simulation)s AND agent = %(agent)s AND to_tick IS NULL
        AND node <> %(area)s
    RETURNING node, since_tick
)
INSERT INTO agents_userow (simulation_id, agent, from_tick, node, is_area, state, since_tick)
SELECT
    %(simulation)s, %(agent)s, %(tick)s, %(object)s, false, %(object_state)s,
    coalesce(min(since_tick) FILTER (WHERE node = %(object)s), %(tick)s)
FROM ended
HAVING %(object)s <> ''
"""

TRY_ENTRY = """
INSERT INTO agents_userow (simulation_id, agent, from_tick, node, is_area, state, since_tick)
VALUES (%(simulation)s, %(agent)s, %(tick)s, %(area)s, true, '', %(tick)s)
"""

SEE = """
WITH seen AS (
    SELECT * FROM jsonb_to_recordset(%(seen)s) AS new(subject text, description text, area text)
),
ended AS (
    UPDATE agents_seenpersonrow SET to_tick = %(tick)s
    WHERE simulation_id = %(simulation)s AND agent = %(agent)s AND to_tick IS NULL
        AND subject IN (SELECT subject FROM seen)
)
INSERT INTO agents_seenpersonrow (simulation_id, agent, from_tick, subject, description, area)
SELECT %(simulation)s, %(agent)s, %(tick)s, subject, description, area FROM seen
"""

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
