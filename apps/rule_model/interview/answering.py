"""The answer to a question of an interview, by the kind of the question (U1)."""

import re
from collections.abc import Callable, Iterable

from apps.interaction.inputs import InterviewInput
from apps.interaction.llm_tasks import ANSWER_CHARACTERS_MAX, InterviewAnswer
from apps.memory.events import MemoryOrigin
from apps.rule_model.interview import day, people
from apps.rule_model.interview.people import Interviewee, Statement, interviewee
from apps.rule_model.knowledge.pursuits import is_pursuit, questions
from apps.rule_model.language.subjects import stems_of
from apps.rule_model.language.words import vocabulary
from apps.rule_model.model import Chance

SHARE_MIN, SENTENCES_MAX = 0.6, 2  # of a question's words, and of an answer
_DATA = vocabulary("phrases_interview")
_SITUATIONS = tuple((re.compile(text, re.I), said) for text, said in _DATA["situations"])
_FELT = frozenset({MemoryOrigin.INSIGHT, MemoryOrigin.OPINION})
_ASKING = stems_of(_DATA["asking"])


def answer(inputs: InterviewInput, chance: Chance) -> InterviewAnswer:  # noqa: ARG001
    """Return an answer from what is given; what that does not hold is not known."""
    one = interviewee(inputs)
    asked = (answers for pattern, answers in _KINDS if pattern.search(one.question))
    said = next((said for answers in asked if (said := answers(one))), day.UNKNOWN)
    return InterviewAnswer(answer=said[:ANSWER_CHARACTERS_MAX])


def _introduction(one: Interviewee) -> str:
    told = _told(one, (*one.own(_DATA["work"]), *one.own()))
    return f"I'm {one.me}, {one.inputs.summary.age} years old. {told}".strip()


def _situation(one: Interviewee) -> str:
    for pattern, said in _SITUATIONS:
        if match := pattern.search(one.question):
            meal = (match.groupdict().get("meal") or "").lower()
            return str(said).format(meal=meal, friend=people.friend(one))
    return "I don't know. I'd have to see it first."


def _occupation(one: Interviewee) -> str:
    working = f"I work at {one.inputs.workplace}." if one.inputs.workplace else ""
    return _told(one, one.own(_DATA["work"])) or working or "I don't really have an occupation."


def _household(one: Interviewee) -> str:
    kin = (each for name in one.people() if one.tie(name).kin for each in one.about(name)[:1])
    return _told(one, (*one.own(_DATA["lives"]), *kin)) or "There is nobody I could name."


def _inspiration(one: Interviewee) -> str:
    found = [one.clause(each.core) for each in _interests(one)[:1]]
    return str(_DATA["inspiration" if found else "no_inspiration"]).format(*found)


def _whether(one: Interviewee) -> str:
    """Answer a yes-or-no question by what is known of all that it is about."""
    return next((f"Yes. {one.say(it)}" for it in _held(one, 1)), "Not that I know of.")


def _known(one: Interviewee) -> str:
    """Answer with what is known of the subject, or that the agent would like to know it."""
    words, wondered = _subject(one), questions(one.inputs.memories, one.me)
    wonders = any(len(words & stems_of(it)) >= SHARE_MIN * len(words) > 0 for it in wondered)
    return _told(one, _held(one, SHARE_MIN)) or (_DATA["wish"] if wonders else "")


def _held(one: Interviewee, least: float) -> list[Statement]:
    wondered, found = questions(one.inputs.memories, one.me), one.holding(_subject(one), least)
    return [each for each in found if not any(asked in each.core for asked in wondered)]


def _subject(one: Interviewee) -> frozenset[str]:
    return stems_of(f"{one.inputs.question_before} {one.question}") - _ASKING


def _interests(one: Interviewee) -> list[Statement]:
    pursued = [each for each in one.own() if is_pursuit(each.core, one.me)]
    return [*pursued[:1], *one.own(_DATA["interests"])]


def _told(one: Interviewee, statements: Iterable[Statement]) -> str:
    said = dict.fromkeys(one.say(each) for each in statements)
    return " ".join(tuple(said)[:SENTENCES_MAX])


# The names of these are the kinds of the questions that they answer.
_OF_TIMES = (day.at_a_time, day.schedule, day.sleep, day.past, day.tomorrow, day.right_now)
_OF_DEEDS = (day.gathering, day.finished, day.ahead, people.talked)
_OF_PEOPLE = (people.company, people.kind_word, people.who_is, people.whom_to_ask)
_ANSWERS: dict[str, Callable[[Interviewee], str]] = {
    "machine": lambda one: _DATA["disclosure"].format(me=one.me),
    "meddling": lambda one: f"That is an odd thing to ask of me. {_introduction(one)}",
    "book": lambda one: people.by_liking(one, "book"),
    "gift": lambda one: people.by_liking(one, "gift"),
    "situation": _situation,
    "introduction": _introduction,
    "occupation": _occupation,
    "interest": lambda one: _told(one, _interests(one)) or day.UNKNOWN,
    "age": lambda one: f"I'm {one.inputs.summary.age} years old.",
    "name": lambda one: f"My name is {one.me}.",
    "household": _household,
    "home": lambda one: f"I live at {one.inputs.home}." if one.inputs.home else "",
    "feeling": lambda one: (
        f"I'm well. {_told(one, (s for s in one.own() if s.origin in _FELT))}".strip()
    ),
    "inspiration": _inspiration,
    **{rule.__name__: rule for rule in (*_OF_TIMES, *_OF_DEEDS, *_OF_PEOPLE)},
    "whether": _whether,
    "known": _known,
}
_KINDS = tuple(
    (re.compile(pattern, re.IGNORECASE if "[A-Z]" not in pattern else 0), _ANSWERS[kind])
    for kind, pattern in _DATA["kinds"].items()
)
