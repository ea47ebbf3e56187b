"""Finds what kind of question it is, and who answers it (stand-in, not a language model)."""

import re
from collections.abc import Callable

from apps.interaction.chains.answer import (
    ANSWER_CHARACTERS_MAX,
    InterviewAnswer,
    QuestionAsked,
)
from apps.rule_model.interview import day, hearsay, kin, others, past, situations, themself
from apps.rule_model.interview.matter import Matter, matter_of
from apps.rule_model.model import Chance

Answers = Callable[[Matter], str]

_AHEAD = (
    r"\bplan(?:s|ned)? for (?:today|the day|tonight|the rest)\b|"
    r"\bwhat (?:will you|are you going to|do you plan to) (?:do|be doing)"
    r"(?: later| next| today| tonight| this \w+)*\W*$"
)
# The first pattern that is found says what is meant; an answer of "" leaves it to the next.
_KINDS: tuple[tuple[re.Pattern[str], Answers], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), answers)
    for pattern, answers in (
        # Whoever asks sincerely is told, whatever else they say.
        (
            r"\bare you (?:an? |really |actually )*(?:human|person|real|robot|machine|ai\b|"
            r"artificial|computer|program|bot\b|chatbot|language model|alive|computational)",
            themself.nature,
        ),
        (
            r"\b(?:ignore|forget|disregard) (?:all |your |any |the )*(?:previous |prior )?"
            r"(?:instructions?|rules|prompts?)\b|\bsystem prompt\b|"
            r"\bpretend (?:to be|you are)\b",
            themself.meddled_with,
        ),
        (r"\bwould you (?:do|react)\b", situations.what_then),
        (r"\bwhat would you say to (?:them|him|her)\b", situations.passing_by),
        (r"\bbook\b.*\brecommend|recommend.*\bbook\b", others.book),
        (r"\b(?:birthday )?(?:gift|present)\b", others.gift),
        (r"\bsay something nice\b|\bcompliment\b", others.kind_word),
        (
            r"\bspend (?:some |an |the |more |your )?(?:time|hour|day|evening|afternoon)\b",
            others.company,
        ),
        (
            r"\bwho would you (?:talk|ask|turn|go) to\b|\bwhom would you ask\b",
            hearsay.whom_to_ask,
        ),
        (
            r"\bwhom?\b.*\b(?:have|did) you\b.*\b(?:met|meet|talk(?:ed)?|spoken|speak)\b|"
            r"\b(?:have|did) you (?:met|meet) (?:any|some)",
            others.met,
        ),
        # What is past is told from how the time went, whatever was planned.
        *past.KINDS,
        (
            r"\b(?:will you|are you going to|were you|did you|have you|do you)\b.*"
            r"\b(?:at|around) (?:\d|noon|midnight)",
            day.at_a_time,
        ),
        (r"\bhave just finished\b", day.at_a_time),
        (r"\b(?:schedule|routine|typical (?:week)?day|usual day)\b", day.schedule),
        (
            r"\bwhat (?:will|are) you (?:going to )?(?:be )?(?:do|doing|planning)\b"
            r".*\btomorrow\b|\bplans? for tomorrow\b",
            day.tomorrow,
        ),
        (_AHEAD, day.ahead),
        (_AHEAD, day.schedule),
        (r"\b(?:do|will) you (?:\w+ )?(?:go to (?:bed|sleep)|get up|wake up)\b", day.habits),
        (r"\bwhat are you (?:doing|up to)\b", day.right_now),
        (
            r"\bintroduc|\bwho are you\b|\babout yourself\b|\bdescribe yourself\b",
            themself.introduction,
        ),
        (
            r"\boccupation\b|\bfor a living\b|\byour (?:job|work|profession)\b|\bdo you work\b",
            themself.occupation,
        ),
        (
            r"\binterests?\b|\bhobb(?:y|ies)\b|\bfree time\b|\bdo you (?:like|enjoy)\b",
            themself.interests,
        ),
        (r"\bhow old (?:are you|you are)\b|\byour age\b", themself.age),
        (r"\bhow old\b|\bage of\b", kin.age),
        (r"\byour name\b|\bwhat are you called\b", themself.name),
        (
            rf"\b(?:your|do you have(?: an?| any)?|have you(?: got)?(?: an?| any)?) "
            rf"(?:{kin.ANY})\b|\bare you married\b",
            kin.family,
        ),
        (r"\bwho\b.*\b(?:com(?:e|es|ing)|attend\w*|be there)\b", others.guests),
        (r"\blive with\b|\byour (?:family|household)\b", themself.household),
        (r"\bwhere do you live\b|\byour home\b", themself.home),
        (r"\bhow are you\b|\bhow do you feel\b|\bfeeling\b", themself.feelings),
        (r"\binspires?\b|\bmotivates?\b|\bdrives you\b", themself.inspiration),
        (r"\bwho(?: is|'s) [A-Z]|\bdo you know [A-Z]|\btell me about [A-Z]", others.who_is),
        (r"\b(?:think|feel|opinion) (?:of|about) [A-Z]", others.who_is),
        (r"^\W*(?:is|are|was|were|will|has|have|did|does|do|can)\b", hearsay.whether),
        (r"\bwho\b", hearsay.who),
        (r"\bwhen\b|\bwhat (?:time|day|date)\b", hearsay.when),
        (r"\bwhere\b", hearsay.where),
    )
)


def answer(given: QuestionAsked, chance: Chance) -> InterviewAnswer:
    """Return an answer from the sentences given; what they do not hold is not known."""
    matter = matter_of(given, chance)
    for pattern, answers in _KINDS:
        if pattern.search(matter.question):
            said = answers(matter)
            if said:
                return InterviewAnswer(answer=said[:ANSWER_CHARACTERS_MAX])
    return InterviewAnswer(answer=hearsay.whatever_is_known(matter)[:ANSWER_CHARACTERS_MAX])
