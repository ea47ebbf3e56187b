"""The statement that reads the records of an agent's own stream, in one round trip.

It reads rows of several apps, as of the end of the tick %(before)s; a test holds its answer to
plain Python over these rows. `own_stream.records_of` reads the keys of the answer.
"""

RECORDS = """
WITH items AS (
    SELECT
        number, parent, level, day, description, place, object, object_state, emoji, asleep,
        continues, free, importance, act, other, about, with_agents, from_tick,
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
    FROM agents_actionrow AS begun
    JOIN planning_planitemrow AS part
        ON part.simulation_id = begun.simulation_id AND part.agent = begun.agent
        AND part.number = begun.plan_item
    JOIN planning_planitemrow AS hour
        ON hour.simulation_id = part.simulation_id AND hour.agent = part.agent
        AND hour.number = part.parent
    WHERE begun.simulation_id = %(simulation)s AND begun.agent = %(agent)s
        AND begun.kind = 'planned' AND begun.from_tick <= %(before)s
),
last_performed AS (
    SELECT day, activity FROM performed
    WHERE from_tick > %(day_before)s
    ORDER BY from_tick DESC LIMIT 1
),
unreported AS (
    SELECT
        number, parent, level, day, description, place, object, object_state, emoji, asleep,
        continues, free, importance, act, other, about, with_agents, from_tick, to_tick
    FROM planning_planitemrow AS item
    WHERE simulation_id = %(simulation)s AND agent = %(agent)s AND number = %(plan_item)s
        AND level = 'action' AND act = ANY(%(searches)s)
        AND to_tick <= %(tick)s AND from_tick > %(day_before)s
        AND NOT EXISTS (
            SELECT FROM agents_actreportrow AS report
            WHERE report.simulation_id = %(simulation)s AND report.agent = %(agent)s
                AND report.plan_item = item.number AND report.outcome <> %(goes_on)s
                AND report.tick <= %(before)s
        )
),
plan_of_day AS (
    SELECT
        number, parent, level, day, description, place, asleep, from_tick, valid_from_tick,
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
    WHERE NOT asleep AND (level = 'outline' OR from_tick >= revised.tick)
),
reflected AS (
    SELECT max(tick) AS tick, coalesce(max(tick) - 1, -1) AS after
    FROM reflection_reflectionrow
    WHERE simulation_id = %(simulation)s AND agent = %(agent)s AND tick <= %(before)s
        AND kind = 'insights'
),
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
)
SELECT json_build_object(
    'next_memory', 1 + coalesce((
        SELECT number FROM memory_memoryrow
        WHERE simulation_id = %(simulation)s AND agent = %(agent)s AND formed_tick <= %(before)s
        ORDER BY number DESC LIMIT 1
    ), 0),
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
    'act_reports', (
        SELECT json_agg(json_build_object(
            'plan_item', plan_item, 'outcome', outcome, 'area', area, 'tick', tick
        ) ORDER BY tick, id)
        FROM agents_actreportrow
        WHERE simulation_id = %(simulation)s AND agent = %(agent)s AND tick <= %(before)s
            AND (plan_item IN (SELECT number FROM planned WHERE level = 'action')
                OR (plan_item = 0 AND tick > %(day_before)s))
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
    ),
    'before_talk', (
        SELECT description FROM agents_actionrow
        WHERE simulation_id = %(simulation)s AND agent = %(agent)s
            AND from_tick <= %(before)s AND kind <> 'talking'
        ORDER BY from_tick DESC LIMIT 1
    ),
    'refusals', (
        SELECT json_agg(json_build_object('tick', tick, 'node', node, 'why', why)
            ORDER BY tick, id)
        FROM agents_turnedawayrow
        WHERE simulation_id = %(simulation)s AND agent = %(agent)s
            AND tick BETWEEN least(%(action_from)s, (SELECT from_tick FROM action))
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
        SELECT count(*) FROM agents_seenpersonrow
        WHERE simulation_id = %(simulation)s AND agent = %(agent)s
            AND from_tick > (SELECT after FROM reflected)
            AND from_tick <= %(before)s
    ),
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
    'last_reflected', (SELECT tick FROM reflected),
    'last_consolidated', (
        SELECT max(tick) FROM reflection_reflectionrow
        WHERE simulation_id = %(simulation)s AND agent = %(agent)s AND tick <= %(before)s
            AND kind = 'consolidation' AND jsonb_array_length(insights) > 0
    ),
    'summary', (
        SELECT json_build_object(
            'core', core, 'occupation', occupation, 'feeling', feeling, 'text', text,
            'from_tick', from_tick, 'due_tick', due_tick
        )
        FROM self_summary_selfsummaryrow
        WHERE simulation_id = %(simulation)s AND agent = %(agent)s
            AND from_tick <= %(before)s AND (to_tick IS NULL OR to_tick > %(before)s)
        ORDER BY from_tick DESC LIMIT 1
    ),
    'facts', (
        SELECT json_agg(json_build_object(
            'number', number, 'kind', kind, 'other', other, 'tie', tie, 'standing', standing,
            'statements', statements, 'opinion', opinion, 'evidence', evidence, 'until', until,
            'source', source, 'from_tick', from_tick
        ) ORDER BY number)
        FROM facts_factrow
        WHERE simulation_id = %(simulation)s AND agent = %(agent)s
            AND from_tick <= %(before)s AND (to_tick IS NULL OR to_tick > %(before)s)
    ),
    'next_fact', 1 + coalesce((
        SELECT max(number) FROM facts_factrow
        WHERE simulation_id = %(simulation)s AND agent = %(agent)s
            AND from_tick <= %(before)s
    ), 0),
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
        SELECT json_object_agg(met, json_build_object('to_tick', to_tick, 'gist', gist))
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
                    AND kind = 'dialogue' AND origin = ANY(%(gist_origins)s)
                ORDER BY number LIMIT 1
            ) AS remembered
            WHERE simulation_id = %(simulation)s AND agent = %(agent)s
                AND to_tick <= %(before)s AND met = ANY(%(others)s)
            ORDER BY met, from_tick DESC
        ) AS latest
    )
)::text
"""
