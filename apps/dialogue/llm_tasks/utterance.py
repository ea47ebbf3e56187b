"""LLM task: the next utterance of an agent in a conversation (D1, D4)."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated

from pydantic import Field

from apps.agents.phrases import (
    acquaintance_lines,
    agent_variables,
    day_variables,
    deed_texts,
    departure_text,
    latest_deeds_since,
    mind_lines,
    overtaken_text,
    plan_ahead,
    status_in_brief,
    tie_lines,
    told_lines,
)
from apps.agents.spoken_words import (
    UTTERANCE_CHARACTERS_MAX,
    require_spoken,
    speaker_left_out,
    without_speaker,
)
from apps.dialogue.inputs import Line, UtteranceInput
from apps.kernel.language import noted, phrase
from apps.llm.answers.answer_options import OneOf, Options
from apps.llm.answers.decisions import Fact
from apps.llm.answers.differences import Adjusted
from apps.llm.answers.task_answer import TaskAnswer
from apps.llm.prompts.sets import task_templates
from apps.llm.prompts.values import (
    Data,
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

# Phrases of the task, besides its prompt template.
OPENING = noted("Hi, how is it going?")
FAREWELL = noted("Sorry, I can't talk any longer just now.")
INTENT_DEFAULT = noted("greet")
ASK_FIRST = noted("What does {name} say to {other} first, with this in mind?")
ASK_NEXT = noted("What does {name} say to {other} next?")
ASK_LAST = noted("It is time to come to an end. What does {name} say to {other} last?")
WITHIN_HEARING = noted("Within hearing: {names}.")
BESIDES = noted("{names} also listens and takes part; the words can be to anyone of them.")

OR_NOTHING = noted('The utterance is "" if all has been said.')
BY_PHONE = " They talk on the telephone and do not see each other."

LAST_UTTERANCES = 2
PARTICIPANTS = "participants"  # the option set of the names of the other participants


class Utterance(TaskAnswer):
    """An utterance."""

    utterance: str = Field(
        max_length=UTTERANCE_CHARACTERS_MAX,
        description="the words that are spoken, nothing else: one to three sentences",
    )
    ends: bool = Field(
        description="true if the conversation is over with these words: no reply is waited for"
    )
    leaves: bool = Field(
        default=False,
        description="true if the speaker goes elsewhere after these words; false if it stays",
    )
    to: Annotated[str, OneOf(PARTICIPANTS)] = Field(
        default="",
        description='among several, who is to answer; "" for the one who is asked about',
    )


def greeting_or_farewell(inputs: UtteranceInput) -> Utterance:
    """Return a greeting, or a farewell that ends the conversation: the named fallback."""
    if not inputs.lines:
        return Utterance(utterance=phrase(OPENING), ends=False)
    return Utterance(utterance=phrase(FAREWELL), ends=True)


def numbered_lines(lines: Iterable[Line]) -> Data:
    """Return the utterances with their speakers as data, numbered from 1."""
    return data_list(f"{line.speaker}: {line.text}" for line in lines)


def _variables(inputs: UtteranceInput) -> Mapping[str, PromptValue]:
    known = _known_lines(inputs)
    return {
        **agent_variables(inputs.agent_name, inputs.summary),
        "other_name": agent_name(inputs.other_name),
        **day_variables(inputs.now.date(), inputs.agreements, inputs.promises),
        "outline": plan_ahead(inputs.outline, inputs.now),
        "done": data_list(deed_texts(inputs.performed, inputs.coming)),
        "now": game_time(inputs.now),
        "place": data(inputs.place),
        "status": data(_status_text(inputs)),
        "other_status": data(status_in_brief(inputs.other_status)),
        "acquaintance": data_list(known),
        "memories": data_list(
            memory_texts(
                inputs.memories,
                ahead=mind_lines(inputs.summary),
                besides=(inputs.summary.text, *known),
                agreements=inputs.agreements,
                done_since=latest_deeds_since(inputs.performed),
                company=(inputs.other_name, *inputs.besides),
            )
        ),
        "said": numbered_lines(inputs.lines),
        "intent": data(_intent(inputs)),
        "task": _question(inputs),
    }


def _known_lines(inputs: UtteranceInput) -> list[str]:
    """Return what the participants are to the speaker, and what it has told the other one."""
    name, others = inputs.agent_name, zip(inputs.besides, inputs.ties_besides, strict=False)
    beside = (line for other, tie in others for line in tie_lines(tie, name, other))
    other = inputs.other_name
    return [
        *acquaintance_lines(inputs.acquaintance, name, other),
        *told_lines(inputs.acquaintance, name, other),
        *beside,
    ]


def _status_text(inputs: UtteranceInput) -> str:
    """Return the status of the speaker, with its departure."""
    onward = departure_text(inputs.departure, inputs.now)
    return f"{status_in_brief(inputs.status)}; {onward}"


def _intent(inputs: UtteranceInput) -> str:
    """Return the intention, and what was talked about since it was planned."""
    if inputs.since:
        return overtaken_text(inputs.intent, inputs.since)
    return inputs.intent or ("" if inputs.lines else phrase(INTENT_DEFAULT))


def _question(inputs: UtteranceInput) -> Trusted:
    question = ASK_NEXT
    if not inputs.lines:
        question = ASK_FIRST
    elif inputs.utterances_left <= LAST_UTTERANCES:
        question = ASK_LAST
    asked = {"name": agent_name(inputs.agent_name), "other": agent_name(inputs.other_name)}
    if inputs.by_phone:
        question += BY_PHONE
    spoken_among = [sentence(question, **asked)]
    if inputs.may_be_silent:
        spoken_among.append(sentence(OR_NOTHING))
    if inputs.besides:
        spoken_among.append(sentence(BESIDES, names=joined(map(agent_name, inputs.besides))))
    if inputs.within_hearing:
        names = joined(map(agent_name, inputs.within_hearing))
        spoken_among.append(sentence(WITHIN_HEARING, names=names))
    return one_after_another(spoken_among)


def _options(inputs: UtteranceInput) -> Options:
    several = ("", inputs.other_name, *inputs.besides)
    return {PARTICIPANTS: several if inputs.besides else ()}


def _decision(answer: Utterance) -> Iterator[Fact]:
    """Yield whether the talk goes on and with whom; the words are free."""
    yield "ends", answer.ends
    yield "leaves", answer.leaves
    yield "to", answer.to


def _check(inputs: UtteranceInput, answer: Utterance) -> None:
    if inputs.may_be_silent and not answer.utterance.strip():
        return
    require_spoken(_words(inputs, answer), field="utterance")


def _words(inputs: UtteranceInput, answer: Utterance) -> str:
    names = (inputs.agent_name, inputs.other_name, *inputs.besides)
    return without_speaker(answer.utterance, names)


def _adjust(inputs: UtteranceInput, answer: Utterance) -> Adjusted[Utterance]:
    """Return the answer without the name of a participant before the words."""
    words = _words(inputs, answer)
    return Adjusted(
        answer.model_copy(update={"utterance": words}),
        speaker_left_out("utterance", answer.utterance, words),
    )


UTTERANCE = LLMTask(
    name="dialogue.utterance",
    template=task_templates(
        "dialogue/utterance", trusted={"agent_name", "date", "other_name", "now", "task"}
    ),
    input_type=UtteranceInput,
    answer_type=Utterance,
    variables=_variables,
    fallback=greeting_or_farewell,
    decision=_decision,
    check=_check,
    options=_options,
    adjust=_adjust,
)
