"""Values of typed questions by what is known, without a language model (L4).

A value is decided on the typed input: texts that the agent knows, its memories and lasting
facts, support an option or a place on a scale. The spoken words are not read.
"""

from collections.abc import Callable, Sequence
from typing import Any

from apps.interaction.answer_forms import AnswerKind
from apps.interaction.inputs import InterviewInput, TypedQuestionInput
from apps.interaction.llm_tasks.answer import InterviewAnswer
from apps.interaction.llm_tasks.typed_answer import NO_OPTION, ChoiceAnswer, NumberAnswer
from apps.kernel.language import noted, phrase
from apps.llm.hashing_embedding import content_stems

# A question is affirmed if one text holds so large a share of its words.
KNOWN_SHARE_MIN = 0.6
YES, NO = noted("yes"), noted("no")
_ASKING = content_stems("know knew tell think much many often close closely")


def with_supported_value(
    inputs: TypedQuestionInput,
    chance: Any,
    *,
    answer: Callable[[InterviewInput, Any], InterviewAnswer],
) -> ChoiceAnswer | NumberAnswer:
    """Return the words of `answer`, and the value that the agent's knowledge supports."""
    words = answer(inputs.interview, chance).answer
    if inputs.form.kind is AnswerKind.CHOICE:
        options = inputs.form.options
        return ChoiceAnswer(answer=words, choice=supported_option(inputs.interview, options))
    if inputs.form.kind is AnswerKind.SCALE:
        low, high = inputs.form.minimum or 0, inputs.form.maximum or 0
        place = low + known_share(inputs.interview) * (high - low)
        return NumberAnswer(answer=words, number=round(place))
    return NumberAnswer(answer=words, number=None)


def supported_option(inputs: InterviewInput, options: Sequence[str]) -> str:
    """Return the option that a text about the subject of the question holds, "" without one.

    Of several, it is the one whose text has most words of question and option. "Yes" and "no"
    are answered by whether a text holds the question.
    """
    topic, known = _topic(inputs), _known(inputs)
    plain = {one.casefold(): one for one in options}
    said = phrase(YES) if known_share(inputs) >= KNOWN_SHARE_MIN else phrase(NO)
    if {phrase(YES), phrase(NO)} <= plain.keys():
        return plain[said]
    support = [
        max(
            (
                len(own & text) * len(topic & text)
                for text in known
                for own in [content_stems(option) - topic]
            ),
            default=0,
        )
        for option in options
    ]
    best = max(support, default=0)
    return options[support.index(best)] if best else NO_OPTION


def known_share(inputs: InterviewInput) -> float:
    """Return the greatest share of the question's words that one text holds, 0 to 1."""
    topic = _topic(inputs)
    shares = (len(topic & text) / len(topic) for text in _known(inputs) if topic)
    return max(shares, default=0.0)


def _topic(inputs: InterviewInput) -> frozenset[str]:
    return content_stems(inputs.question) - _ASKING


def _known(inputs: InterviewInput) -> list[frozenset[str]]:
    lasting = inputs.summary.lasting
    texts = (
        *(memory.description for memory in inputs.memories),
        *lasting.of_days,
        *lasting.relationships,
    )
    return [content_stems(text) for text in texts]
