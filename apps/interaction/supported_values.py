"""Values of typed questions by what is known, without a language model (L4).

A value is decided on the typed input, not on the spoken words: one text that the agent knows,
a memory or a lasting fact, must hold all that the question is about. Without one there is no
value, but a reason. Attitudes are no memories, so that a scale has no value at all.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from apps.interaction.answer_forms import AnswerForm, AnswerKind, NoValue
from apps.interaction.inputs import InterviewInput, TypedQuestionInput
from apps.interaction.llm_tasks import NO_OPTION, ChoiceAnswer, InterviewAnswer, NumberAnswer
from apps.kernel.language import noted, phrase
from apps.kernel.words import content_stems, words_of

YES, NO = noted("yes"), noted("no")
# Words of questions: without a subject, of knowing, of the agent, of its age.
ASKING = noted(
    "tell told many much often close closely today tonight tomorrow yesterday morning "
    "afternoon evening night happen"
)
KNOWING = noted("know knew known hear heard aware")
OWN = noted("you your yours yourself")
AGE = noted("old age years")
NUMBERS = noted("zero one two three four five six seven eight nine ten eleven twelve")
# A text with one of these words does not say that something is so.
DOUBT = noted("not no never nobody none cannot cancelled wonder wonders wondering whether if")


def with_supported_value(
    inputs: TypedQuestionInput,
    chance: Any,
    *,
    answer: Callable[[InterviewInput, Any], InterviewAnswer],
) -> ChoiceAnswer | NumberAnswer:
    """Return the words of `answer`, and the value that the agent's knowledge supports."""
    words, value = answer(inputs.interview, chance).answer, supported_value(inputs)
    if inputs.form.kind is AnswerKind.CHOICE:
        has_none = isinstance(value, NoValue)
        return ChoiceAnswer(answer=words, choice=NO_OPTION if has_none else str(value))
    return NumberAnswer(answer=words, number=value if isinstance(value, int) else None)


def supported_value(inputs: TypedQuestionInput) -> str | int | NoValue:
    """Return the option or the number that the agent's knowledge supports, or why none is."""
    form, subject = inputs.form, _Subject.of(inputs.interview)
    if form.kind is AnswerKind.SCALE:
        return NoValue.FORM_NOT_ANSWERED
    supported: set[str | int] = set()
    if form.kind is AnswerKind.CHOICE:
        supported |= _options(subject, form)
    else:
        supported |= {n for n in _numbers(subject, inputs.interview) if _is_within(n, form)}
    if len(supported) == 1:
        return supported.pop()
    return NoValue.CONTRADICTORY if supported else NoValue.NOT_SUPPORTED


@dataclass(frozen=True, slots=True)
class _Subject:
    """What a question is about: stems of its words, and the texts that hold all of them.

    A question with "you" is about the agent: only texts that begin with its name count. A
    question whether the agent knows is about the rest of it.
    """

    stems: frozenset[str]
    texts: tuple[str, ...]
    is_of_knowing: bool
    is_own: bool

    @classmethod
    def of(cls, inputs: InterviewInput) -> "_Subject":
        words = frozenset(words_of(inputs.question))
        is_of_knowing = not words.isdisjoint(words_of(phrase(KNOWING)))
        is_own = not (is_of_knowing or words.isdisjoint(words_of(phrase(OWN))))
        empty = content_stems(" ".join(map(phrase, (ASKING, KNOWING, OWN))))
        stems = content_stems(f"{inputs.question_before} {inputs.question}") - empty
        lasting, doubt = inputs.summary.lasting, frozenset(words_of(phrase(DOUBT)))
        known = (memory.description for memory in inputs.memories)
        texts = tuple(
            text
            for text in (*known, *lasting.of_days, *lasting.relationships)
            if stems and stems <= content_stems(text) and doubt.isdisjoint(words_of(text))
            if not is_own or text.startswith(inputs.agent_name)
        )
        return cls(stems, texts, is_of_knowing, is_own)


def _options(subject: _Subject, form: AnswerForm) -> set[str]:
    """Return the options that the texts support.

    "Yes" is supported by a text that holds the question, "no" only of what the agent knows:
    what it has not heard of may be so.
    """
    plain = {one.casefold(): one for one in form.options}
    yes, no = plain.get(phrase(YES)), plain.get(phrase(NO))
    if yes is not None and no is not None:
        return {yes} if subject.texts else {no} if subject.is_of_knowing else set()
    found = ((one, content_stems(one) - subject.stems) for one in form.options)
    return {
        option
        for option, own in found
        if own and any(own <= content_stems(text) for text in subject.texts)
    }


def _numbers(subject: _Subject, inputs: InterviewInput) -> Iterator[int]:
    """Yield the agent's age if that is asked for, else each number of what is counted."""
    if subject.is_own and subject.stems <= content_stems(phrase(AGE)):
        yield inputs.summary.age
        return
    named = {word: number for number, word in enumerate(phrase(NUMBERS).split())}
    for text in subject.texts:
        words = words_of(text)
        for word, counted in pairwise(words):
            if content_stems(counted) & subject.stems and (word in named or word.isdecimal()):
                yield named[word] if word in named else int(word)


def _is_within(number: int, form: AnswerForm) -> bool:
    low, high = form.minimum, form.maximum
    return (low is None or low <= number) and (high is None or number <= high)
