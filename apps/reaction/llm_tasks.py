"""LLM task: the decision of an agent to go on or to react to observations (X1)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from apps.agents.phrases import (
    acquaintance_lines,
    agent_variables,
    day_variables,
    deed_texts,
    latest_deeds_since,
    mind_lines,
    object_text,
    overtaken_text,
    plan_ahead,
    status_in_brief,
    status_text,
    told_lines,
)
from apps.agents.spoken_words import (
    UTTERANCE_CHARACTERS_MAX,
    require_spoken,
    speaker_left_out,
    without_speaker,
)
from apps.kernel.language import noted, phrase
from apps.kernel.text import join_and, shortened
from apps.llm.answers.answer_options import OneOf, Options
from apps.llm.answers.checks import require_infinitive, require_text
from apps.llm.answers.decisions import Fact
from apps.llm.answers.differences import Adjusted
from apps.llm.answers.json_schema import Variant
from apps.llm.answers.task_answer import TaskAnswer
from apps.llm.calls.agent_llm import AgentLLM
from apps.llm.cleaning import in_one_line
from apps.llm.prompts.quoting import ITEM_CHARACTERS_MAX
from apps.llm.prompts.sets import task_templates
from apps.llm.prompts.values import (
    PromptValue,
    Trusted,
    agent_name,
    data,
    data_list,
    game_time,
    joined,
    one_after_another,
    sentence,
)
from apps.llm.task import LLMTask
from apps.memory.prompt_lines import memory_texts
from apps.reaction.inputs import (
    DecisionInput,
    KnockHeard,
    Observed,
    ObservedAgent,
    ObservedObject,
    Obstacle,
    ReasonToTalk,
    TalkReason,
    agent_in,
)
from apps.reaction.judged_states import STATE

ACTIVITY_CHARACTERS_MAX = 300
HERE = ""
PLACES = "places"  # the option set of the possible destinations
MEMBERS = "members"  # the option set of the names in conversations that can be joined
MINUTES_MAX = 240
KNOWN_CHARACTERS_MIN = 200
SAID_BESIDE_TOKENS_MAX = 50  # of the own words of the day, beside an observed agent
TALKS = frozenset({"talk", "later"})

NOBODY_FREE = noted("None of these is free to be spoken to.")
FREE = noted("Free to be spoken to: {names}.")
TOGETHER = noted(
    "{names} and {agent} are together here, and hear each other. A remark, a question or a new "
    "subject is as natural as silence."
)
JOINABLE = noted("{name} talks with {others}; {agent} may join them.")
KNOCK = noted(
    ' If the person that knocks is wanted in the home now, "open" the door; {agent} then walks '
    "up to the guest."
)
REASONS = {
    TalkReason.AGREED: noted("agreed on for now: {text}"),
    TalkReason.UNANSWERED: noted("said to them and not answered: {text}"),
    TalkReason.INTENDED: noted("meant to say or ask: {text}"),
    TalkReason.PROMISED: noted("promised to tell them: {text}"),
    TalkReason.NEWS: noted("not told to them yet: {text}"),
    TalkReason.OVERHEARD: noted("overheard just now: {text}"),
}

GO_ON = noted("go on with what is being done")
TALK = noted("talk to somebody now")
LATER = noted("go on now, and talk at a better moment today")
ACT = noted("do something else now")
OPEN = noted("open the door to somebody who knocks")

Choice = Literal["go on", "talk", "later", "act", "open"]


class Decision(TaskAnswer):
    """The decision of the agent."""

    choice: Choice
    observation: int = Field(
        default=1, description="the number of the observation that it is about"
    )
    what: str = Field(
        default="",
        max_length=ACTIVITY_CHARACTERS_MAX,
        description='what the person wants to say, ask or do, an infinitive without "to", such '
        'as "invite Klaus Mueller to the party"',
    )
    say: str = Field(
        default="",
        max_length=UTTERANCE_CHARACTERS_MAX,
        description="the words that are spoken, one to three sentences",
    )
    ends: bool = Field(
        default=False,
        description='true if these words want no answer, such as "Eight is fine"',
    )
    to: Annotated[str, OneOf(MEMBERS)] = Field(
        default="",
        description='where a talk of others is joined, who is to answer; "" for the one who is '
        "observed",
    )
    place: Annotated[str, OneOf(PLACES)] = Field(
        default=HERE, description='the known place or area where it is done; "" for here'
    )
    minutes: int = Field(default=0, description="how long it takes")


def go_on(_: DecisionInput) -> Decision:
    """Return the decision to go on: the named fallback."""
    return Decision(choice="go on")


def observation_text(observed: Observed) -> str:
    """Return the observation as a sentence, which is also its retrieval query (X1)."""
    match observed:
        case ObservedAgent():
            return status_text(observed.status)
        case KnockHeard():
            return status_text(observed.agent.status)
        case ObservedObject():
            return object_text(observed.name, observed.state)
        case Obstacle():
            return _obstacle_text(observed)
        case _:
            return observed.text


def _obstacle_text(observed: Obstacle) -> str:
    if observed.remedy:
        return phrase(
            "{obstacle} (until somebody does this: {remedy})",
            obstacle=observed.description,
            remedy=observed.remedy,
        )
    if not observed.occupants:
        return observed.description
    return phrase(
        "{obstacle} by {names}",
        obstacle=observed.description,
        names=join_and(observed.occupants),
    )


def _options(inputs: DecisionInput) -> Options:
    joined_by = (name for one in inputs.may_talk_to() for name in one.talks_with)
    members = tuple(dict.fromkeys(joined_by))
    return {PLACES: (HERE, *_places(inputs)), MEMBERS: ("", *members) if members else ()}


def _places(inputs: DecisionInput) -> tuple[str, ...]:
    """Return the possible destinations, none for who only speaks or does not."""
    return () if _is_company(inputs) else inputs.known_places


def _is_company(inputs: DecisionInput) -> bool:
    return len(inputs.together) == len(inputs.observed)


def _variants(inputs: DecisionInput) -> Iterator[Variant]:
    """Yield the choices that there are, each with the observations that it can be about."""
    numbers: dict[str, list[int]] = {}
    for number, observed in enumerate(inputs.observed, start=1):
        agent, is_knock = agent_in(observed), isinstance(observed, KnockHeard)
        if not _is_company(inputs):
            numbers.setdefault("open" if is_knock else "act", []).append(number)
        if not is_knock and agent is not None and agent.may_talk:
            numbers.setdefault("talk", []).append(number)
    joins = ("to",) if any(one.talks_with for one in inputs.may_talk_to()) else ()
    yield Variant(value="go on", meaning=GO_ON)
    for kind, value, meaning, fields in (
        ("talk", "talk", TALK, ("what", "say", "ends", *joins)),
        ("talk", "later", LATER, ("what",)),
        ("act", "act", ACT, ("what", "place", "minutes")),
        ("open", "open", OPEN, ()),
    ):
        if kind in numbers:
            yield Variant(
                value=value,
                meaning=meaning,
                fields=("observation", *fields),
                numbers={"observation": numbers[kind]},
            )


def _variables(inputs: DecisionInput) -> Mapping[str, PromptValue]:
    seen = [_with_acquaintance(one, inputs.agent_name) for one in inputs.observed]
    agents = [one for one in map(agent_in, inputs.observed) if one is not None]
    return {
        **agent_variables(inputs.agent_name, inputs.summary),
        **day_variables(inputs.now.date(), inputs.agreements),
        "outline": plan_ahead(inputs.outline, inputs.now),
        "done": data_list(deed_texts(inputs.performed, inputs.coming)),
        "now": game_time(inputs.now),
        "place": data(inputs.place),
        "status": data(status_in_brief(inputs.status)),
        "observed": data_list(seen),
        "memories": data_list(
            memory_texts(
                inputs.memories,
                # Only the presence of others makes it matter what to say or to keep.
                ahead=mind_lines(inputs.summary) if agents else (),
                besides=(inputs.summary.text, *seen),
                agreements=inputs.agreements,
                done_since=latest_deeds_since(inputs.performed),
                company={one.name for one in agents},
            )
        ),
        "places": data_list(_places(inputs)),
        "free": _free(inputs),
        "knock": _knock(inputs),
    }


def _knock(inputs: DecisionInput) -> Trusted:
    """Return the rule for a knock at the door, "" without one."""
    if not any(isinstance(one, KnockHeard) for one in inputs.observed):
        return joined(())
    return sentence(KNOCK, agent=agent_name(inputs.agent_name))


def _with_acquaintance(observed: Observed, name: str) -> str:
    agent, text = agent_in(observed), observation_text(observed)
    if agent is None:
        return text
    facts = acquaintance_lines(agent.acquaintance, name, agent.status.agent_name)
    said = told_lines(
        agent.acquaintance, name, agent.status.agent_name, tokens_max=SAID_BESIDE_TOKENS_MAX
    )
    # What is to be said comes before what is known, which may be cut.
    texts = ") (".join((*_reason_texts(agent.reasons), *said, "; ".join(facts)))
    room = max(KNOWN_CHARACTERS_MIN, ITEM_CHARACTERS_MAX - len(text) - len(" ()"))
    return f"{text} ({shortened(texts, room)})"


def _reason_texts(reasons: Iterable[ReasonToTalk]) -> Iterator[str]:
    """Yield the reasons, those of a kind together."""
    by_kind: dict[TalkReason, list[str]] = {}
    for one in reasons:
        text = overtaken_text(one.text.rstrip(" ."), one.since)
        by_kind.setdefault(one.kind, []).append(text)
    for kind, texts in by_kind.items():
        in_a_row = "; ".join(texts)
        yield phrase(REASONS[kind], text=in_a_row)


def _free(inputs: DecisionInput) -> Trusted:
    """Return the sentences that name the free agents, and the conversations to join."""
    reachable = {agent.name: agent for agent in inputs.may_talk_to()}.values()
    free = [agent_name(agent.name) for agent in reachable if not agent.talks_with]
    sentences = [sentence(FREE, names=joined(free))] if free else []
    if inputs.together:
        names = joined(map(agent_name, inputs.together))
        sentences.append(sentence(TOGETHER, names=names, agent=agent_name(inputs.agent_name)))
    sentences += [
        sentence(
            JOINABLE,
            name=agent_name(agent.name),
            others=joined(map(agent_name, agent.talks_with)),
            agent=agent_name(inputs.agent_name),
        )
        for agent in reachable
        if agent.talks_with
    ]
    return one_after_another(sentences) if sentences else sentence(NOBODY_FREE)


def _decision(answer: Decision) -> Iterator[Fact]:
    """Yield the choice with what it needs; words and lengths are free."""
    yield "choice", answer.choice
    if answer.choice != "go on":
        yield "observation", answer.observation
    if answer.choice == "talk":
        yield "ends", answer.ends
        yield "to", answer.to
    if answer.choice == "act":
        yield "place", answer.place


def _check(inputs: DecisionInput, answer: Decision) -> None:
    if not 1 <= answer.observation <= len(inputs.observed):
        raise ValueError(
            phrase(
                "there are observations 1 to {count}, none has the number {number}",
                count=len(inputs.observed),
                number=answer.observation,
            )
        )
    if answer.choice == "go on":
        return
    observed = inputs.observed[answer.observation - 1]
    if isinstance(observed, KnockHeard) is not (answer.choice == "open"):
        raise ValueError(
            phrase('a knock, and nothing else, is answered with "open" or "go on"')
        )
    if answer.choice == "open":
        return
    if answer.choice in TALKS:
        agent = agent_in(observed)
        if agent is None or not agent.may_talk:
            free = ", ".join(one.name for one in inputs.may_talk_to()) or phrase("nobody")
            raise ValueError(
                phrase(
                    '"{choice}" is only possible with {names}: give the number of their '
                    "observation, or another choice",
                    choice=answer.choice,
                    names=free,
                )
            )
    if answer.choice == "talk":
        require_spoken(_words(inputs, answer), field="say")
        return
    meaning = phrase(
        "what {name} wants to {choice} about", name=inputs.agent_name, choice=answer.choice
    )
    require_text(answer.what, field="what", meaning=meaning)
    require_infinitive(answer.what, field="what", agent_name=inputs.agent_name)


def _words(inputs: DecisionInput, answer: Decision) -> str:
    agents = filter(None, map(agent_in, inputs.observed))
    return without_speaker(answer.say, (inputs.agent_name, *(one.name for one in agents)))


def _adjust(inputs: DecisionInput, answer: Decision) -> Adjusted[Decision]:
    """Return the answer without the name of a participant before the words."""
    words = _words(inputs, answer)
    return Adjusted(
        answer.model_copy(update={"say": words}), speaker_left_out("say", answer.say, words)
    )


DECISION = LLMTask(
    name="reaction.decision",
    template=task_templates(
        "reaction/decision", trusted={"agent_name", "date", "now", "free", "knock"}
    ),
    input_type=DecisionInput,
    answer_type=Decision,
    variables=_variables,
    fallback=go_on,
    decision=_decision,
    check=_check,
    options=_options,
    numbers=lambda _: {"minutes": (1, MINUTES_MAX)},
    variants=lambda inputs: tuple(_variants(inputs)),
    adjust=_adjust,
)


MINUTES_DEFAULT = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaction:
    """A decision to react, now or later: to talk, to open the door, or to do something else.

    `observation` counts from 0; `what` is an intent or an infinitive; `say` are the words that
    are spoken at once, and `ends` whether they want no answer; `to` is the full name of the one
    in a joined conversation that is to answer, "" for the one observed; `place` is a path, ""
    for here.
    """

    choice: Choice
    observation: int
    what: str
    say: str
    ends: bool
    to: str
    place: str
    minutes: int


def decide_reaction(llm: AgentLLM, inputs: DecisionInput) -> Reaction | None:
    """Return the reaction of the agent, None if it goes on (X1)."""
    answer = llm.ask(DECISION, inputs)
    if answer.choice == "go on":
        return None
    return Reaction(
        choice=answer.choice,
        observation=answer.observation - 1,
        what=in_one_line(answer.what) or in_one_line(answer.say),
        say=in_one_line(answer.say),
        ends=answer.ends,
        to=answer.to,
        place=answer.place,
        minutes=min(answer.minutes, MINUTES_MAX) if answer.minutes > 0 else MINUTES_DEFAULT,
    )


LLM_TASKS = (DECISION, STATE)
