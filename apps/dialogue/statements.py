"""The SQL statements by which every turn reads utterances and parts in conversations.

The columns are in the order of the fields of `utterances.Spoken` and `utterances.Talk`.
"""

UTTERANCES = """
SELECT
    agent, tick, conversation, number, "to", text, ends, event, participants, by_phone, intent,
    leaves
FROM dialogue_utterancerow
WHERE simulation_id = %(simulation)s AND tick BETWEEN %(from_tick)s AND %(to_tick)s
    AND (
        %(agents)s::text[] IS NULL OR agent = ANY(%(agents)s::text[])
        OR "to" = %(to)s OR participants ? %(to)s
    )
ORDER BY tick, agent
"""

# A call is found by the agent that is called, too.
TALKS = """
SELECT agent, conversation, other, from_tick, to_tick, by_phone
FROM dialogue_talkrow
WHERE simulation_id = %(simulation)s AND from_tick <= %(to_tick)s
    AND (to_tick IS NULL OR to_tick > %(from_tick)s)
    AND (
        %(agents)s::text[] IS NULL OR agent = ANY(%(agents)s::text[])
        OR (by_phone AND other = %(called)s)
    )
ORDER BY agent, from_tick
"""
