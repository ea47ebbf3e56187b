"""Case-insensitive text filters.

The pattern has both cases of each letter, since LIKE and lower() handle ASCII letters only in a
database without a locale, such as the embedded one.
"""

from django.db.models import BooleanField, F, Func, Q, Value


def contains(text: str, *fields: str) -> Q:
    """Return the condition that one of the text fields contains the text."""
    found = Q()
    for field in fields:
        found |= Q(**{f"{field}__regex": pattern_of(text)})
    return found


class JsonContains(Func):
    """The condition that a text value at any depth of a JSON column contains the text.

    Names of members, numbers and the escapes of JSON do not count.
    """

    # The first expression is the column, the second the pattern.
    template = "EXISTS (SELECT 1 FROM jsonb_path_query(%(expressions)s)"
    arg_joiner = (
        ", 'strict $.** ? (@.type() == \"string\")') AS found(value) "
        "WHERE (found.value #>> '{}') ~ "
    )
    output_field = BooleanField()

    def __init__(self, field: str, text: str) -> None:
        super().__init__(F(field), Value(pattern_of(text)))


def pattern_of(text: str) -> str:
    """Return the regular expression of PostgreSQL that matches the text in any case."""
    return "".join(map(_in_any_case, text))


def _in_any_case(character: str) -> str:
    forms = {form for form in (character.lower(), character.upper()) if len(form) == 1}
    if len(forms) > 1:
        return f"[{''.join(sorted({character, *forms}))}]"
    is_sign = character.isascii() and not character.isalnum() and character != "_"
    return f"\\{character}" if is_sign else character
