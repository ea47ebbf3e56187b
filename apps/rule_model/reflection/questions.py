"""The questions that an agent's latest memories raise (R2)."""

from apps.reflection.chains.questions import SalientQuestions
from apps.reflection.inputs import QuestionsInput
from apps.reflection.rules import QUESTION_CHARACTERS_MAX, QUESTIONS_PER_REFLECTION
from apps.rule_model.language.words import vocabulary
from apps.rule_model.model import Chance
from apps.rule_model.reflection.concerns import concerns

_TEMPLATES = vocabulary("phrases_reflection")["questions"]


def questions(given: QuestionsInput, chance: Chance) -> SalientQuestions:
    """Return questions on what weighs most, then such as anybody may ask."""
    me = given.agent_name
    found: dict[str, None] = {}
    for concern in concerns(me, given.memories):
        if concern.kind == "work" and concern.owner != me:
            continue
        template = chance.choice(_TEMPLATES[concern.kind], concern.kind, concern.name)
        question = template.format(me=me, other=concern.name, what=concern.name)
        if len(question) <= QUESTION_CHARACTERS_MAX:
            found.setdefault(question)
    for template in _TEMPLATES["life"]:
        found.setdefault(template.format(me=me))
    return SalientQuestions(questions=tuple(found)[:QUESTIONS_PER_REFLECTION])
