"""Asks the stand-in a question, of somebody with memories of a test's own."""

from typing import Any

from apps.interaction.chains.answer import PlannedTime, QuestionAsked
from apps.rule_model.interview import TASK_RULES
from apps.rule_model.model import Chance

KLAUS = "Klaus Mueller"
SUMMARY = (
    "Name: Klaus Mueller (age: 20)\nInnate traits: kind, inquisitive\n"
    "Klaus Mueller studies sociology at Oak Hill College."
)
MEMORIES = (
    "Klaus Mueller is a student at Oak Hill College who studies sociology",
    "Klaus Mueller lives in the Oak Hill College Dorm and shares its kitchen with Maria Lopez",
    "Klaus Mueller has been close friends with Maria Lopez for two years",
    "Maria Lopez loves old computer games",
    "Maria Lopez told Klaus Mueller that Isabella Rodriguez is planning a Valentine's Day "
    "party at Hobbs Cafe on February 14, 2023, from 5:00 pm to 7:00 pm",
    "Wolfgang Schulz told Klaus Mueller that Sam Moore will run for mayor in the local "
    "election next month",
    "Klaus Mueller is writing a research paper on gentrification",
    "Klaus Mueller likes to have lunch at Hobbs Cafe around 12:30 pm",
)
PLANS = (
    PlannedTime(from_minute=420, to_minute=480, activity="have breakfast", place="the dorm"),
    PlannedTime(
        from_minute=480, to_minute=720, activity="write the paper", place="the library"
    ),
    PlannedTime(from_minute=720, to_minute=780, activity="eat lunch", place="Hobbs Cafe"),
)
ASKED: dict[str, Any] = {
    "agent_name": KLAUS,
    "summary": SUMMARY,
    "wake_minute": 420,
    "bed_minute": 1_380,
    "home": "Oak Hill College Dorm",
    "workplace": "",
    "persona": "a reporter",
    "now": "Monday, February 13, 2023, 9:00 am",
    "place": "the library of Oak Hill College",
    "status": "Klaus Mueller is reading",
    "plans": PLANS,
    "spent": (),
    "memories": MEMORIES,
    "earlier": (),
    "question": "Who are you?",
}


def asked(question: str, **otherwise: Any) -> QuestionAsked:
    return QuestionAsked(**(ASKED | {"question": question} | otherwise))


def answers(question: str, **otherwise: Any) -> str:
    chance = Chance(seed=7, chain="interview.answer", call_id="1/klaus-mueller/x/1")
    answered = TASK_RULES["interview.answer"](asked(question, **otherwise), chance)
    return str(answered.model_dump()["answer"])
