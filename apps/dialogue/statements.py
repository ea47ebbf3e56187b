"""The SQL statements by which every turn reads utterances and parts in conversations.

The columns are in the order of the fields of `utterances.Spoken` and `utterances.Talk`.
"""

from apps.memory.statements import GIST, NEWS, NUMBERED

_SPOKEN = """agent, tick, conversation, number, "to", text, ends, event, participants,
    by_phone, intent, leaves"""

# By one of the agents, or to the agent.
UTTERANCES = f"""
SELECT {_SPOKEN}
FROM dialogue_utterancerow
WHERE simulation_id = %(simulation)s AND tick BETWEEN %(heard_from_tick)s AND %(to_tick)s
    AND (
        %(agents)s::text[] IS NULL OR agent = ANY(%(agents)s::text[])
        OR "to" = %(agent)s OR participants ? %(agent)s
    )
ORDER BY tick, agent
"""  # noqa: S608 (columns of this module)

# A call is found by the agent that is called, too.
TALKS = """
SELECT agent, conversation, other, from_tick, to_tick, by_phone
FROM dialogue_talkrow
WHERE simulation_id = %(simulation)s AND from_tick <= %(to_tick)s
    AND (to_tick IS NULL OR to_tick > %(heard_from_tick)s)
    AND (
        %(agents)s::text[] IS NULL OR agent = ANY(%(agents)s::text[])
        OR (by_phone AND other = %(agent)s)
    )
ORDER BY agent, from_tick
"""

# A conversation counts if both have spoken in it, for each agent that has spoken to this one.
TALKS_ENDED = """
SELECT said.agent, talk.to_tick
FROM dialogue_talkrow AS talk
JOIN dialogue_utterancerow AS said
    ON said.simulation_id = talk.simulation_id AND said.conversation = talk.conversation
    AND said.agent <> talk.agent AND said.tick < talk.to_tick
    AND (said."to" = talk.agent OR said.participants @> to_jsonb(talk.agent::text))
WHERE talk.simulation_id = %(simulation)s AND talk.agent = %(agent)s
    AND talk.to_tick <= %(tick)s
    AND EXISTS (
        SELECT FROM dialogue_utterancerow AS own
        WHERE own.simulation_id = talk.simulation_id AND own.agent = talk.agent
            AND own.conversation = talk.conversation
    )
GROUP BY said.agent, talk.conversation, talk.to_tick
ORDER BY talk.to_tick DESC, said.agent
"""

# The utterances of conversations, with the openings by and to an agent since the first of them.
SPOKEN_IN = f"""
WITH in_conversations AS (
    SELECT {_SPOKEN}
    FROM dialogue_utterancerow
    WHERE simulation_id = %(simulation)s AND conversation = ANY(%(conversations)s)
        AND tick <= %(tick)s
),
openings AS (
    SELECT {_SPOKEN}
    FROM dialogue_utterancerow
    WHERE simulation_id = %(simulation)s AND number = 1
        AND tick BETWEEN (SELECT min(tick) FROM in_conversations) AND %(tick)s
        AND (agent = %(agent)s OR "to" = %(agent)s)
)
SELECT * FROM in_conversations UNION SELECT * FROM openings
"""  # noqa: S608 (columns of this module)

# Parts of the statement of own records (`apps.simulation.turn.context.own_stream`).
TABLES = """\
open_commitments AS (
    SELECT * FROM dialogue_commitmentrow
    WHERE simulation_id = %(simulation)s AND agent = %(agent)s AND tick <= %(before)s
        AND NOT declined AND NOT cancelled AND day >= %(first_open_day)s
        AND (superseded_tick IS NULL OR superseded_tick > %(before)s)
        AND (ended_tick IS NULL OR ended_tick > %(before)s)
)"""
TALKED = """
SELECT FROM dialogue_talkrow AS talk
WHERE talk.simulation_id = %(simulation)s AND talk.agent = %(agent)s
    AND talk.from_tick <= %(before)s
"""
SAID = """
SELECT FROM dialogue_utterancerow AS said
WHERE said.simulation_id = %(simulation)s AND said.agent = %(agent)s
    AND said.tick <= %(before)s
"""
UNANSWERED_TALKS = """
SELECT 'unanswered', talk.other, '[]', talk.to_tick, (
    SELECT text FROM dialogue_utterancerow AS own
    WHERE own.simulation_id = %(simulation)s AND own.agent = %(agent)s
        AND own.conversation = talk.conversation AND own.tick <= %(before)s
    ORDER BY own.number DESC LIMIT 1
), '', 0
FROM (
    SELECT DISTINCT ON (other) other, conversation, to_tick, why
    FROM dialogue_talkrow
    WHERE simulation_id = %(simulation)s AND agent = %(agent)s
        AND from_tick > %(day_before)s AND from_tick <= %(before)s
        AND other = ANY(%(others)s)
    ORDER BY other, from_tick DESC, conversation
) AS talk
JOIN dialogue_utterancerow AS said
    ON said.simulation_id = %(simulation)s AND said.agent = %(agent)s
    AND said.conversation = talk.conversation AND said.number = 1
WHERE talk.why = ANY(%(unanswered)s) AND talk.to_tick <= %(before)s
"""
NEWS_TO_TELL = f"""
SELECT 'news', '', jsonb_build_array(subject) || coalesce((
    SELECT jsonb_agg(hearer ORDER BY hearer)
    FROM dialogue_talkrow AS talk
    CROSS JOIN LATERAL jsonb_array_elements_text(talk.heard_by) AS hearer
    WHERE talk.simulation_id = %(simulation)s AND talk.agent = %(agent)s
        AND talk.to_tick = formed_tick
), '[]'), formed_tick, description, passing_on, number
FROM ({NEWS}) AS news
"""  # noqa: S608 (parts of statements)
# The other agents of the conversation `talk` whom the agent has heard or spoken to in it.
INTERLOCUTORS = """
SELECT talk.other AS met
UNION
SELECT member FROM dialogue_utterancerow AS said
CROSS JOIN LATERAL (
    SELECT said.agent AS member
    UNION
    SELECT jsonb_array_elements_text(said.participants)
) AS members
WHERE said.simulation_id = %(simulation)s AND said.conversation = talk.conversation
    AND said.tick <= least(%(before)s, talk.to_tick) AND member <> %(agent)s
    AND (said.agent = %(agent)s OR said."to" = %(agent)s OR said.participants ? %(agent)s)
"""
RECORDS = f"""\
    'overheard', (
        SELECT json_agg(json_build_object(
            'agent', said.agent, 'tick', said.tick, 'conversation', said.conversation,
            'number', said.number, 'to', said."to", 'text', said.text, 'ends', said.ends,
            'event', said.event, 'participants', said.participants
        ) ORDER BY said.tick, said.agent)
        FROM dialogue_overheardrow AS heard
        JOIN dialogue_utterancerow AS said
            ON said.simulation_id = heard.simulation_id
            AND said.conversation = heard.conversation AND heard.utterances ? said.event
        WHERE heard.simulation_id = %(simulation)s AND heard.agent = %(agent)s
            AND heard.tick > %(day_before)s AND heard.tick <= %(before)s
            AND NOT EXISTS (
                SELECT FROM dialogue_overheardrow AS ended
                WHERE ended.simulation_id = %(simulation)s AND ended.agent = %(agent)s
                    AND ended.conversation = heard.conversation AND ended.is_over
                    AND ended.tick BETWEEN heard.tick AND %(before)s
            )
    ),
    'commitments', (
        SELECT json_agg(json_build_object(
            'event', event, 'other', other, 'activity', activity, 'place', place,
            'day', day, 'from_minute', from_minute, 'to_minute', to_minute,
            'besides', besides, 'node', node
        ))
        FROM open_commitments
    ),
    'carried_out', (
        SELECT json_agg(json_build_object(
            'ended_tick', ended_tick, 'other', other, 'besides', besides
        ) ORDER BY ended_tick, event)
        FROM dialogue_commitmentrow
        WHERE simulation_id = %(simulation)s AND agent = %(agent)s AND tick <= %(before)s
            AND ended_tick <= %(before)s AND outcome = %(kept)s AND day = %(today)s
            AND %(minute)s >= from_minute AND %(minute)s < to_minute
    ),
    'promises', (
        SELECT json_agg(json_build_object(
            'event', event, 'tick', tick, 'other', other, 'what', what, 'to', "to",
            'memory', memory, 'has_met', EXISTS (
                SELECT FROM dialogue_talkrow AS talk
                WHERE talk.simulation_id = %(simulation)s AND talk.agent = %(agent)s
                    AND talk.from_tick > promise.tick AND talk.from_tick <= %(before)s
                    AND EXISTS (
                        SELECT FROM ({INTERLOCUTORS}) AS interlocutors
                        WHERE CASE WHEN promise."to" = '' THEN met <> promise.other
                            ELSE met = promise."to" END
                    )
            )
        ) ORDER BY tick, event)
        FROM dialogue_promiserow AS promise
        WHERE simulation_id = %(simulation)s AND agent = %(agent)s AND tick <= %(before)s
            AND (ended_tick IS NULL OR ended_tick > %(before)s)
    ),
    'last_talks', (
        SELECT json_object_agg(met, json_build_object(
            'to_tick', to_tick, 'gist', gist, 'said_today', (
                SELECT coalesce(json_agg(own.text ORDER BY own.tick), '[]')
                FROM dialogue_utterancerow AS own
                WHERE own.simulation_id = %(simulation)s AND own.agent = %(agent)s
                    AND own.tick BETWEEN %(midnight)s AND %(before)s
                    AND (own."to" = met OR own.participants ? met)
                    AND EXISTS (
                        SELECT FROM dialogue_talkrow AS over
                        WHERE over.simulation_id = %(simulation)s AND over.agent = %(agent)s
                            AND over.conversation = own.conversation
                            AND over.to_tick <= %(before)s
                    )
            ), 'told', (
                SELECT coalesce(json_agg(description ORDER BY number), '[]') FROM (
                    SELECT DISTINCT number, description
                    FROM dialogue_talkrow AS over
                    CROSS JOIN LATERAL jsonb_array_elements(over.told) AS news
                    CROSS JOIN LATERAL ({NUMBERED.format(number="news::int")}) AS memory
                    WHERE over.simulation_id = %(simulation)s AND over.agent = %(agent)s
                        AND over.to_tick <= %(before)s AND over.told <> '[]'::jsonb
                        AND (over.other = met OR EXISTS (
                            SELECT FROM dialogue_utterancerow AS own
                            WHERE own.simulation_id = %(simulation)s
                                AND own.agent = %(agent)s
                                AND own.conversation = over.conversation
                                AND own.participants ? met
                        ))
                    ORDER BY number DESC LIMIT %(told_max)s
                ) AS latest_told
            ), 'same_time_days', (
                -- The ticks since then are whole days, and a few ticks more or less.
                SELECT count(DISTINCT (%(tick)s - earlier.from_tick + %(same_time)s) / %(day)s)
                FROM dialogue_talkrow AS earlier
                WHERE earlier.simulation_id = %(simulation)s AND earlier.agent = %(agent)s
                    AND earlier.to_tick <= %(before)s AND earlier.from_tick BETWEEN
                        %(tick)s - %(usual_days)s * %(day)s - %(same_time)s
                        AND %(tick)s - %(day)s + %(same_time)s
                    AND mod(%(tick)s - earlier.from_tick + %(same_time)s, %(day)s)
                        <= 2 * %(same_time)s
                    AND (earlier.other = met OR EXISTS (
                        SELECT FROM dialogue_utterancerow AS said
                        WHERE said.simulation_id = %(simulation)s AND said.agent = %(agent)s
                            AND said.conversation = earlier.conversation
                            AND said.participants ? met
                    ))
            )
        ))
        FROM (
            SELECT DISTINCT ON (met) met, to_tick, gist
            FROM dialogue_talkrow AS talk
            CROSS JOIN LATERAL ({INTERLOCUTORS}) AS interlocutors
            CROSS JOIN LATERAL (
                {GIST.format(tick="talk.to_tick", other="talk.other")}
            ) AS remembered
            WHERE simulation_id = %(simulation)s AND agent = %(agent)s
                AND to_tick <= %(before)s AND met = ANY(%(others)s)
            ORDER BY met, from_tick DESC
        ) AS latest
    )"""  # noqa: S608 (parts of statements)
