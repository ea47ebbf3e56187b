"""Checks of answers that several LLM tasks share; the errors say what to give instead."""

from apps.kernel.language import phrase, phrase_in
from apps.llm.cleaning import in_one_line


def require_text(text: str, *, field: str, meaning: str) -> None:
    """Check that the text is not blank.

    :raises ValueError: if it is.
    """
    if not in_one_line(text):
        raise ValueError(
            phrase('"{field}" is blank: give {meaning}', field=field, meaning=meaning)
        )


def require_infinitive(text: str, *, field: str, agent_name: str) -> None:
    """Check that the text has the form of an infinitive: no "to" and no name before it.

    :raises ValueError: if it begins with "to" or with the agent's name.
    """
    first = in_one_line(text).casefold()
    for beginning in (
        phrase_in("the particle before an infinitive, or a dash", "to"),
        agent_name,
    ):
        if first.startswith(f"{beginning.casefold()} "):
            raise ValueError(
                phrase(
                    '"{field}" begins with {beginning}: give an infinitive without "to" and '
                    'without a name before it, such as "have lunch"',
                    field=field,
                    beginning=repr(beginning),
                )
            )
