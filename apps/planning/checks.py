"""Checks of the texts of plans in answers; the error says what to give instead.

A valid text is stored as given, on one line.
"""

import unicodedata

from apps.kernel.language import phrase, phrase_in
from apps.kernel.text import one_line
from apps.llm.answers.checks import require_infinitive, require_text

ACTIVITY_CHARACTERS_MAX = 300
STATE_CHARACTERS_MAX = 80
EMOJI_CHARACTERS_MAX = 20

# Symbols, with the modifiers, selectors, joiners and spaces between them.
_EMOJI_CATEGORIES = frozenset({"So", "Sk", "Mn", "Me", "Cf", "Zs"})


def require_activity(text: str, *, field: str, agent_name: str) -> None:
    """Check that the text is an infinitive of usable length.

    :raises ValueError: if it is blank or too long, or begins with "to" or the agent's name.
    """
    require_text(text, field=field, meaning=phrase('what is done, such as "have lunch"'))
    require_infinitive(text, field=field, agent_name=agent_name)
    _require_length(text, field=field, characters_max=ACTIVITY_CHARACTERS_MAX)


def require_progress(text: str, *, field: str, agent_name: str) -> None:
    """Check that the text can follow "<name> is".

    :raises ValueError: if it is blank or too long, or begins with the agent's name.
    """
    require_text(
        text, field=field, meaning=phrase('what is being done, such as "having lunch"')
    )
    if _begins_with(text, agent_name):
        raise ValueError(
            phrase(
                '"{field}" begins with {name}: give only what follows "is", such as '
                '"having lunch"',
                field=field,
                name=repr(agent_name),
            )
        )
    _require_length(text, field=field, characters_max=ACTIVITY_CHARACTERS_MAX)


def require_state(text: str, *, field: str) -> None:
    """Check that the text can follow "the <object> is".

    :raises ValueError: if it is blank or too long, or begins with "The".
    """
    require_text(text, field=field, meaning=phrase('the state of the object, such as "in use"'))
    if _begins_with(text, phrase_in("the article of an object, or a dash", "the")):
        raise ValueError(
            phrase(
                '"{field}" begins with "The": give the state without the name of the object, '
                'such as "in use"',
                field=field,
            )
        )
    _require_length(text, field=field, characters_max=STATE_CHARACTERS_MAX)


def require_emoji(text: str, *, field: str) -> None:
    """Check that the text consists of emoji.

    :raises ValueError: if it has no emoji, other characters, or too many emoji.
    """
    categories = {unicodedata.category(sign) for sign in one_line(text)}
    if "So" not in categories or not categories <= _EMOJI_CATEGORIES:
        raise ValueError(
            phrase(
                '"{field}" is not emoji: give one or two emoji and nothing else', field=field
            )
        )
    _require_length(text, field=field, characters_max=EMOJI_CHARACTERS_MAX)


def _begins_with(text: str, words: str) -> bool:
    return f"{one_line(text)} ".casefold().startswith(f"{words} ".casefold())


def _require_length(text: str, *, field: str, characters_max: int) -> None:
    length = len(one_line(text))
    if length > characters_max:
        raise ValueError(
            phrase(
                '"{field}" has {length} characters: give at most {most}',
                field=field,
                length=length,
                most=characters_max,
            )
        )
