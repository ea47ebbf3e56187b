"""The parts of the statement of own records that read talks, agreements and reactions."""

TALK_TABLES = """\
open_commitments AS (
    SELECT * FROM dialogue_commitmentrow
    WHERE simulation_id = %(simulation)s AND agent = %(agent)s AND tick <= %(before)s
        AND NOT declined AND NOT cancelled AND day >= %(first_open_day)s
        AND (superseded_tick IS NULL OR superseded_tick > %(before)s)
        AND (ended_tick IS NULL OR ended_tick > %(before)s)
),
put_off AS (
    SELECT subject, tick, what
    FROM (
        SELECT DISTINCT ON (subject) subject, tick, choice, what
        FROM reaction_weighedrow
        WHERE simulation_id = %(simulation)s AND agent = %(agent)s AND decisive
            AND tick > %(day_before)s AND tick <= %(before)s
        ORDER BY subject, tick DESC
    ) AS latest
    WHERE choice = 'later' AND NOT EXISTS (
        SELECT FROM dialogue_talkrow AS talk
        WHERE talk.simulation_id = %(simulation)s AND talk.agent = %(agent)s
            AND talk.other = latest.subject AND talk.from_tick > latest.tick
            AND talk.from_tick <= %(before)s
    ) AND NOT EXISTS (
        SELECT FROM dialogue_utterancerow AS said
        WHERE said.simulation_id = %(simulation)s AND said.agent = %(agent)s
            AND (said."to" = latest.subject OR said.participants ? latest.subject)
            AND said.tick > latest.tick AND said.tick <= %(before)s
    )
)"""

TALK_RECORDS = """\
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
    'decided_at', (
        SELECT json_object_agg(subject, tick) FROM (
            SELECT subject, max(tick) AS tick FROM reaction_weighedrow
            WHERE simulation_id = %(simulation)s AND agent = %(agent)s
                AND tick BETWEEN %(decided_from)s AND %(before)s
            GROUP BY subject
        ) AS latest
    ),
    'put_off', (
        SELECT json_agg(
            json_build_object('other', subject, 'what', what) ORDER BY tick, subject
        ) FROM put_off
    ),
    'talk_records', (
        SELECT json_agg(row_to_json(reasons) ORDER BY tick, kind, other, text) FROM (
            SELECT 'agreed' AS kind, other, '[]'::jsonb AS besides,
                %(midnight)s + from_minute * %(ticks_per_minute)s AS tick, activity AS text
            FROM open_commitments
            WHERE day = %(today)s AND other = ANY(%(others)s)
                AND %(minute)s >= from_minute AND %(minute)s < to_minute
            UNION ALL
            SELECT 'unanswered', talk.other, '[]', talk.to_tick, (
                SELECT text FROM dialogue_utterancerow AS own
                WHERE own.simulation_id = %(simulation)s AND own.agent = %(agent)s
                    AND own.conversation = talk.conversation AND own.tick <= %(before)s
                ORDER BY own.number DESC LIMIT 1
            )
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
            UNION ALL
            SELECT 'intended', subject, '[]', tick, what FROM put_off
            WHERE subject = ANY(%(others)s)
            UNION ALL
            (
                SELECT 'news', '', jsonb_build_array(subject) || coalesce((
                    SELECT jsonb_agg(hearer ORDER BY hearer)
                    FROM dialogue_talkrow AS talk
                    CROSS JOIN LATERAL jsonb_array_elements_text(talk.heard_by) AS hearer
                    WHERE talk.simulation_id = %(simulation)s AND talk.agent = %(agent)s
                        AND talk.to_tick = formed_tick
                ), '[]'), formed_tick, description FROM memory_memoryrow
                WHERE simulation_id = %(simulation)s AND agent = %(agent)s
                    AND origin = ANY(%(news_origins)s) AND rating >= %(news_importance)s
                    AND rated_tick <= %(before)s
                    AND formed_tick > %(day_before)s AND formed_tick <= %(before)s
                ORDER BY number DESC LIMIT %(news_max)s
            )
        ) AS reasons
    ),
    'acted_on_tick', (
        SELECT max(tick) FROM reaction_weighedrow
        WHERE simulation_id = %(simulation)s AND agent = %(agent)s AND subject = %(object)s
            AND choice = 'act' AND decisive AND tick <= %(before)s
    ),
    'commitments', (
        SELECT json_agg(json_build_object(
            'event', event, 'other', other, 'activity', activity, 'place', place,
            'day', day, 'from_minute', from_minute, 'to_minute', to_minute, 'besides', besides
        ))
        FROM open_commitments
    ),
    'promises', (
        SELECT json_agg(json_build_object(
            'event', event, 'tick', tick, 'other', other, 'what', what, 'to', "to",
            'memory', memory, 'has_met', EXISTS (
                SELECT FROM dialogue_talkrow AS talk
                WHERE talk.simulation_id = %(simulation)s AND talk.agent = %(agent)s
                    AND talk.from_tick > promise.tick AND talk.from_tick <= %(before)s
                    AND CASE WHEN promise."to" = '' THEN talk.other <> promise.other
                        ELSE talk.other = promise."to" END
            )
        ) ORDER BY tick, event)
        FROM dialogue_promiserow AS promise
        WHERE simulation_id = %(simulation)s AND agent = %(agent)s AND tick <= %(before)s
            AND (ended_tick IS NULL OR ended_tick > %(before)s)
    ),
    'last_talks', (
        SELECT json_object_agg(met, json_build_object(
            'to_tick', to_tick, 'gist', gist, 'same_time_days', (
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
            CROSS JOIN LATERAL (
                SELECT talk.other AS met
                UNION
                SELECT jsonb_array_elements_text(said.participants)
                FROM dialogue_utterancerow AS said
                WHERE said.simulation_id = %(simulation)s AND said.agent = %(agent)s
                    AND said.conversation = talk.conversation AND said.tick <= %(before)s
            ) AS interlocutors
            CROSS JOIN LATERAL (
                SELECT description AS gist FROM memory_memoryrow
                WHERE simulation_id = %(simulation)s AND agent = %(agent)s
                    AND (formed_tick = talk.to_tick OR number IN (
                        SELECT number FROM memory_repetitionrow
                        WHERE simulation_id = %(simulation)s AND agent = %(agent)s
                            AND from_tick = talk.to_tick
                    ))
                    -- The index of subjects has this collation, the slug in a talk another.
                    AND subject = talk.other COLLATE "default"
                    AND kind = 'dialogue' AND origin = %(gist_origin)s
                ORDER BY number LIMIT 1
            ) AS remembered
            WHERE simulation_id = %(simulation)s AND agent = %(agent)s
                AND to_tick <= %(before)s AND met = ANY(%(others)s)
            ORDER BY met, from_tick DESC
        ) AS latest
    )"""
