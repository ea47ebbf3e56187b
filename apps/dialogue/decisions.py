"""The next utterance of a conversation, and the digest of one that is over (D1, D3, R4).

The functions call the model and return values, which the turn appends as events.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from types import MappingProxyType

from apps.agents.status import Standing
from apps.dialogue.events import Agreed, Declined, Said
from apps.dialogue.inputs import TakeawaysInput, UtteranceInput
from apps.dialogue.llm_tasks.takeaways import (
    COMMITMENTS_MAX,
    LEARNT_MAX,
    TAKEAWAYS,
    Commitment,
    Learnt,
    Promise,
    SettledPromise,
    Takeaways,
    learnt_times,
    scheduled_times,
)
from apps.dialogue.llm_tasks.utterance import UTTERANCE
from apps.dialogue.utterances import Spoken
from apps.llm.calls.agent_llm import AgentLLM
from apps.llm.cleaning import in_one_line
from apps.memory.events import ScheduledActivity
from apps.memory.passing_on import require_terms

DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
# An end before the start is on the next day if the activity then lasts less than this.
OVERNIGHT_MAX = timedelta(hours=12)


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcedSentence:
    """A sentence to remember, its speaker, the event of its utterance, and its importance.

    Speaker and event are "" where there is no utterance. `scheduled` has the times of the
    activity in the sentence, None without times; `passing_on` are the terms on which it may be
    told.
    """

    sentence: str
    importance: int
    speaker: str = ""
    event: str = ""
    scheduled: ScheduledActivity | None = None
    passing_on: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion:
    """What an agent thinks of another one after a conversation, and how it stands to it.

    `thought` is None without a new one, `standing` where it is as before.
    """

    other: str
    thought: SourcedSentence | None
    standing: Standing | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """The digest of a conversation, each part with its importance.

    `opinions` are of its other participants; `plan_note` is None without one; `superseded` are
    the keys of earlier agreements that no longer hold, `fulfilled` those of agreements that are
    carried out; `settled` are earlier promises with the reason, `told` the keys of the news
    that the agent has told.
    """

    gist: SourcedSentence
    learned: tuple[SourcedSentence, ...]
    agreed: tuple[tuple[Agreed, int], ...]
    declined: tuple[tuple[Declined, int], ...]
    opinions: tuple[Opinion, ...]
    plan_note: SourcedSentence | None
    superseded: tuple[str, ...] = ()
    fulfilled: tuple[str, ...] = ()
    promised: tuple[Promise, ...] = ()
    settled: tuple[SettledPromise, ...] = ()
    told: tuple[str, ...] = ()


def digest(
    answer: Takeaways,
    *,
    agent: str,
    other: str,
    conversation: str,
    spoken: Sequence[Spoken],
    others: Mapping[str, str] = MappingProxyType({}),
) -> Digest:
    """Return the digest of `agent`; learned sentences must cite an utterance of another.

    `others` are the slugs of the participants besides `other` by name.
    """
    besides = tuple(
        dict.fromkeys(one.agent for one in spoken if one.agent not in {agent, other})
    )
    last_heard = next((one.event for one in reversed(spoken) if one.agent == other), "")
    agreed = tuple(
        (_agreed(commitment, conversation, other, besides), commitment.importance)
        for commitment in answer.agreed[:COMMITMENTS_MAX]
    )
    learned = tuple(_learned(answer, agent=agent, spoken=spoken))
    return Digest(
        gist=SourcedSentence(
            sentence=in_one_line(answer.gist),
            speaker=other,
            event=last_heard,
            importance=answer.importance,
        ),
        learned=learned,
        agreed=agreed,
        declined=tuple(
            (
                Declined(
                    conversation=conversation,
                    other=other,
                    activity=in_one_line(refusal.activity),
                ),
                refusal.importance,
            )
            for refusal in answer.declined[:COMMITMENTS_MAX]
        ),
        opinions=(
            Opinion(
                other=other,
                thought=_thought(answer.about_other, answer.about_other_importance),
                standing=answer.standing,
            ),
            *(
                Opinion(
                    other=others[one.of],
                    thought=_thought(one.opinion, one.importance),
                    standing=one.standing,
                )
                for one in answer.about_besides
            ),
        ),
        plan_note=_plan_note(answer, agreed, learned),
        promised=tuple(one for one in answer.promised if in_one_line(one.what))[
            :COMMITMENTS_MAX
        ],
        settled=answer.settled,
        told=tuple(dict.fromkeys(answer.told)),
        superseded=tuple(dict.fromkeys(answer.superseded)),
        fulfilled=tuple(
            key for key in dict.fromkeys(answer.fulfilled) if key not in answer.superseded
        ),
    )


def _plan_note(
    answer: Takeaways,
    agreed: Sequence[tuple[Agreed, int]],
    learned: Sequence[SourcedSentence],
) -> SourcedSentence | None:
    """Return the consequence for plans, None without one.

    It has the times of a single agreement or, without one, of the only dated news: it is over
    with them.
    """
    note = _thought(answer.for_plans, answer.for_plans_importance)
    dated = [one.scheduled for one in learned if one.scheduled is not None]
    if note is not None and not agreed and len(dated) == 1:
        return replace(note, scheduled=dated[0])
    if note is None or len(agreed) != 1:
        return note
    return replace(note, scheduled=replace(scheduled_activity(agreed[0][0]), activity=""))


def _thought(text: str, importance: int) -> SourcedSentence | None:
    sentence = in_one_line(text)
    return SourcedSentence(sentence=sentence, importance=importance) if sentence else None


def scheduled_activity(agreed: Agreed) -> ScheduledActivity:
    """Return the agreed activity with its game times."""
    midnight = datetime.combine(date.fromisoformat(agreed.day), time.min)
    return ScheduledActivity(
        activity=agreed.activity,
        place=agreed.place,
        starts=midnight + agreed.from_minute * MINUTE,
        ends=midnight + agreed.to_minute * MINUTE,
        cancelled=agreed.cancelled,
    )


def _learned(
    answer: Takeaways, *, agent: str, spoken: Sequence[Spoken]
) -> Iterator[SourcedSentence]:
    for learnt in answer.learnt[:LEARNT_MAX]:
        sentence = in_one_line(learnt.sentence)
        if not sentence or not 1 <= learnt.line <= len(spoken):
            continue
        utterance = spoken[learnt.line - 1]
        if utterance.agent != agent:
            yield SourcedSentence(
                sentence=sentence,
                speaker=utterance.agent,
                event=utterance.event,
                importance=learnt.importance,
                scheduled=_times_of(learnt),
                passing_on=require_terms(learnt.passing_on),
            )


def _times_of(learnt: Learnt) -> ScheduledActivity | None:
    times = learnt_times(learnt)  # valid, by the check of the task
    if times is None:
        return None
    return ScheduledActivity(activity="", starts=times[0], ends=times[1])


def _agreed(
    commitment: Commitment, conversation: str, other: str, besides: tuple[str, ...]
) -> Agreed:
    starts, ends = scheduled_times(commitment)  # valid, by the check of the task
    if ends <= starts:
        ends = ends + DAY if starts - ends > OVERNIGHT_MAX else starts + HOUR
    midnight = datetime.combine(starts.date(), time.min)
    return Agreed(
        conversation=conversation,
        other=other,
        activity=in_one_line(commitment.activity),
        place=in_one_line(commitment.place),
        day=starts.date().isoformat(),
        from_minute=(starts - midnight) // MINUTE,
        to_minute=(ends - midnight) // MINUTE,
        besides=besides,
    )


def speak(
    llm: AgentLLM,
    inputs: UtteranceInput,
    *,
    conversation: str,
    others: Mapping[str, str],
    number: int,
) -> Said | None:
    """Return the next utterance; the last one of the bound ends the conversation (D1).

    None if there is nothing to say.

    `others` are the slugs of the other participants by name; `number` counts the utterances
    of the conversation from 1. The answer chooses which participant is to answer.
    """
    answer = llm.ask(UTTERANCE, inputs)
    text = in_one_line(answer.utterance)
    if not text:
        return None
    return Said(
        conversation=conversation,
        to=others[answer.to or inputs.other_name],
        participants=tuple(sorted(others.values())) if len(others) > 1 else (),
        number=number,
        text=text,
        ends=answer.ends or inputs.utterances_left == 1,
        memories=tuple(memory.number for memory in inputs.memories),
        by_phone=inputs.by_phone,
        intent="" if inputs.has_spoken else inputs.intent,
        leaves=answer.leaves,
    )


def digest_conversation(
    llm: AgentLLM,
    inputs: TakeawaysInput,
    *,
    agent: str,
    conversation: str,
    other: str,
    spoken: Sequence[Spoken],
    besides: Sequence[str] = (),
) -> Digest:
    """Return the digest of a finished conversation by one of its agents (D3, R4).

    `agent`, `other` and `besides` are slugs, the last in the order of the input; `spoken` are
    the utterances of the lines of the input, in the same order.
    """
    return digest(
        llm.ask(TAKEAWAYS, inputs),
        agent=agent,
        other=other,
        conversation=conversation,
        spoken=spoken,
        others=dict(zip(inputs.besides, besides, strict=True)),
    )
