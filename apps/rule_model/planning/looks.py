"""Says how an action looks: emoji and the state of its object (stand-in)."""

import re

from apps.planning.chains.staging import ActionOnObject, ActionsToStage, Staging, Stagings
from apps.rule_model.model import Chance

MENDING_EMOJI = "🔧"
_EMOJI = tuple(
    (re.compile(pattern, re.IGNORECASE), emoji)
    for pattern, emoji in (
        (r"^(?:fetching|putting the) tools\b", MENDING_EMOJI),
        (r"sleep|nap\b", "😴"),
        (r"party|decorat|ribbon|banner|hearts|invit|dancing|name cards", "🎉"),
        (r"laugh", "😄"),
        (r"telling (?:how|a story)|asking how|greeting everybody", "💬"),
        (r"lesson", "💻"),
        (r"guitar|chords|tuning|bars\b|voice", "🎵"),
        (r"\b(?:sketching|drawing|coloring|inking)\b|panel", "✏️"),
        (r"mixing a|upside down|the picture", "🎨"),
        (r"explaining a difficult|commenting|handing out", "🧑\u200d🏫"),
        (r"menu|laying the places", "🍽️"),
        (r"crossword", "🧩"),
        (r"\bword\b|first line|paragraph|pencil", "📝"),
        (r"\btakes?\b|close-up|episode|the lamp", "🎥"),
        (r"quarrel|making up|two people|entrance|bowing|faces|funny walk|mood", "🎭"),
        (r"rubbish|airing|tablecloth|straight", "🧹"),
        (r"herbs", "🌿"),
        (r"microphone", "🎤"),
        (r"asking a question|testing", "🙋"),
        (r"advice|asking for|hearing", "💬"),
        (r"^waiting", "⏳"),
        (r"telephon", "📞"),
        (r"\bhands\b", "🧼"),
        (r"lemons|shaker|syrup|the drink|a drink\b", "🍸"),
        (r"camera", "🎥"),
        (r"bookshel|sources|quotation", "📚"),
        (r"making the beds?", "🛏️"),
        (r"in bed\b", "🛏️📖"),
        (r"shower|bath\b", "🚿"),
        (r"teeth", "🪥"),
        (r"toilet", "🚽"),
        (r"dressed|clothes|ironing|closet|laundry|wash\b.*hang|hanging up", "👕"),
        (r"unlocking|locking the door|lights", "🔑"),
        (r"orders?\b|noting", "📝"),
        (r"espresso|coffee|steaming|cups on|cups to", "☕"),
        (r"\bmilk\b", "🥛"),
        (r"refrigerator", "🧊"),
        (r"away|in order", "🧺"),
        (r"\btea\b", "🍵"),
        (r"dough|bak|pastr|croissant|oven", "🥐"),
        (r"cook|stove|frying|chopping", "🍳"),
        (r"\beating|meal|lunch|dinner|sandwich|breakfast|cake|snack", "🍽️"),
        (
            r"cocktail|pouring|beer|drink to|glasses|ordering (?:a|another) drink|last orders",
            "🍺",
        ),
        (r"dishes|washing|rinsing|sink", "🫧"),
        (r"wiping|sweeping|mopping|cleaning|dusting|tidying|clearing", "🧹"),
        (r"till|price|adding up|paying|bills", "💵"),
        (r"prescription|medic|pharmacy|powder", "💊"),
        (r"shelves|delivery|restock|boxes|packing", "📦"),
        (r"greeting|chatting|talking|customer|guest|listening to a guest", "💬"),
        (r"lectur|podium|blackboard|students|seminar", "🧑\u200d🏫"),
        (r"stream|game|level|viewers", "🎮"),
        (r"code|computer|tests of|documentation|laptop|bug", "💻"),
        (r"paint|easel|brush|canvas|colors", "🎨"),
        (r"photograph|lens|print|captions", "📷"),
        (r"piano|music|favorite piece|melody|harmony|record|song|chords|humming|rhythm", "🎵"),
        (r"rehears|monologue|lines|joke|scene|film", "🎭"),
        (r"equation|formula|proof|lemma|problem|figures|exercise", "🧮"),
        (r"running|sprint|warming up|cooling", "🏃"),
        (r"push-ups|stretching|weights", "💪"),
        (r"weeding|garden|plant|pruning|bulbs", "🌱"),
        (r"walking", "🚶"),
        (r"duck|pond", "🦆"),
        (r"bench|sun\b|trees", "🌳"),
        (r"groceries|vegetables|bags|shopping", "🛒"),
        (r"tax|receipt|client|statement|file", "📁"),
        (r"news", "📰"),
        (r"messages|letter|calling", "✉️"),
        (
            r"writing|draft|marking|mending|underlin|references|notes?\b|\blist|"
            r"crossing out|copying|revis|sentence|diary",
            "📝",
        ),
        (r"reading|skimming|book|textbook|page|chapter|sources|study|stud|magazine", "📖"),
        (r"resting|break|relax|sitting|closed eyes", "😌"),
        (r"think|compar|looking|staring|plans", "🤔"),
        (r"water\b", "💧"),
    )
)
PLAIN = "🙂"

# The state by the object's name and, where it matters, the action's words.
_STATES = tuple(
    (re.compile(objects), re.compile(words, re.IGNORECASE), state)
    for objects, words, state in (
        (r"^bed$", r"making", "being made"),
        (r"^bed$", r"dinner|eating", "sat on for a meal"),
        (r"^bed$", r"", "occupied by somebody resting"),
        (r"coffee machine", r"clean", "being cleaned"),
        (r"coffee machine", r"turning on", "heating up"),
        (r"coffee machine", r"milk", "steaming milk"),
        (r"coffee machine", r"", "brewing coffee"),
        (r"shower", r"", "running"),
        (r"toilet", r"", "occupied"),
        (r"sink", r"teeth", "running, in use by somebody brushing teeth"),
        (r"sink", r"water", "running"),
        (r"sink", r"", "running, full of suds"),
        (r"stove", r"wip|clean", "being wiped"),
        (r"stove", r"bak|pastr|croissant|oven|dough", "baking pastries"),
        (r"stove", r"breakfast", "cooking breakfast"),
        (r"stove", r"tea", "boiling water"),
        (r"stove", r"", "cooking a meal"),
        (r"toaster", r"", "toasting bread"),
        (r"refrigerator", r"", "open"),
        (r"weights", r"", "being lifted"),
        (r"counter", r"paying|order|asking|waiting", "in use by a customer"),
        (r"piano|guitar", r"", "being played"),
        (r"easel", r"", "holding a picture in progress"),
        (r"blackboard", r"wip", "being wiped"),
        (r"blackboard", r"", "being written on"),
        (r"game console", r"stream|viewers|chat", "streaming a game"),
        (r"game console", r"off", "being switched off"),
        (r"game console", r"", "running a game"),
        (r"computer", r"", "running"),
        (r"microphone", r"", "being checked"),
        (r"closet", r"", "open"),
        (r"garden", r"walk", "being strolled through"),
        (r"^path$", r"walk|runn|sprint", "being walked on"),
        (r"pond", r"", "being looked at"),
        (r"garden", r"water", "being watered"),
        (r"garden", r"", "being tended"),
        (r"shel(?:f|ves)", r"restock|putting|unpack", "being restocked"),
        (r"shel(?:f|ves)", r"", "being looked through"),
    )
)
_MENDING = re.compile(
    r"^(?:mending|repairing|fixing) (?:the|his|her|their) "
    r"(?P<thing>(?:(?!\b(?:at|in|of|on)\b).)+)$"
)
_END_OF_ACT = re.compile(r"\s+(?:at|in|on|with|for|from|about|to|behind|between|along)\b.*")


def stagings(given: ActionsToStage, _: Chance) -> Stagings:
    """Return emoji and object state for each action."""
    return Stagings(
        stagings=[
            Staging(action=number, emoji=_emoji(action), object_state=_state(action))
            for number, action in enumerate(given.actions, start=1)
        ]
    )


def emoji_for(description: str) -> str:
    """Return the emoji that the first fitting words of the table name."""
    return next((emoji for words, emoji in _EMOJI if words.search(description)), PLAIN)


def _emoji(action: ActionOnObject) -> str:
    return MENDING_EMOJI if _is_mended(action) else emoji_for(action.description)


def _is_mended(action: ActionOnObject) -> bool:
    """Whether the object itself is mended: no references at a table, no gap on a board."""
    mended = _MENDING.match(action.description)
    return mended is not None and mended["thing"].endswith(action.object_name)


def _state(action: ActionOnObject) -> str:
    if not action.object:
        return ""
    if _is_mended(action):
        return "being mended"
    for objects, words, state in _STATES:
        if objects.search(action.object_name) and words.search(action.description):
            return state
    act = _END_OF_ACT.sub("", action.description)
    return f"in use by somebody {act}"
