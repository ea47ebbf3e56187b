"""The task of staging: an emoji for each action, and the state of its object (W4, W7)."""

from apps.planning.chains.staging import Staging, Stagings
from apps.planning.inputs import ActionOnObject, StagingInput
from apps.rule_model.content import Content, Vocabulary
from apps.rule_model.language.words import patterns
from apps.rule_model.model import Chance

_PATTERNS = patterns("staging")
PLAIN_EMOJI = "🙂"
REPAIR_EMOJI = "🔧"
PLAIN_STATE = "in use"
STATE_WORDS_MAX = 6


def stagings(given: StagingInput, _: Chance, content: Content) -> Stagings:
    """Return emoji and object state for each action."""
    home = next((action.object for action in given.actions if action.object), "")
    return Stagings(
        stagings=[
            Staging(
                action=number,
                emoji=_emoji(action, content.at(action.object or home)),
                object_state=_state(action, content.at(action.object)),
            )
            for number, action in enumerate(given.actions, start=1)
        ]
    )


def _emoji(action: ActionOnObject, vocabulary: Vocabulary) -> str:
    if _is_repaired(action):
        return REPAIR_EMOJI
    rows = (row for row in vocabulary.emoji if row.words.search(action.description))
    return next((row.values[0] for row in rows), PLAIN_EMOJI)


def _is_repaired(action: ActionOnObject) -> bool:
    """Whether the object itself is repaired, and not something at it."""
    match = _PATTERNS["repair"].match(action.description)
    return (
        bool(action.object)
        and match is not None
        and match["thing"].endswith(action.object_name)
    )


def _state(action: ActionOnObject, vocabulary: Vocabulary) -> str:
    if not action.object:
        return ""
    if _is_repaired(action):
        return "being mended"
    for row in vocabulary.states:
        if row.place.search(action.object_name) and row.words.search(action.description):
            return row.values[0]
    act = _PATTERNS["end_of_act"].sub("", action.description)
    if len(act.split()) > STATE_WORDS_MAX or (act == action.description and "," in act):
        return PLAIN_STATE
    return f"in use by somebody {act}"
