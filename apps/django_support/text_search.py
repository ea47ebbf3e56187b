"""Text filters: rows that contain a text, whatever its case."""

from django.db.models import BooleanField, F, Func, Q, Value

_ESCAPED = str.maketrans({"\\": r"\\", "%": r"\%", "_": r"\_"})


def contains(text: str, *fields: str) -> Q:
    """Return the condition that one of the text fields contains the text."""
    found = Q()
    for field in fields:
        found |= Q(**{f"{field}__icontains": text})
    return found


class JsonContains(Func):
    """The condition that a text value at any depth of a JSON column contains the text.

    Names of members, numbers and the escapes of JSON do not count.
    """

    # The first expression is the column, the second the pattern.
    template = "EXISTS (SELECT 1 FROM jsonb_path_query(%(expressions)s))"
    arg_joiner = (
        ", 'strict $.** ? (@.type() == \"string\")') AS found(value) "
        "WHERE UPPER(found.value #>> '{}') LIKE UPPER("
    )
    output_field = BooleanField()

    def __init__(self, field: str, text: str) -> None:
        """Take the column, and the text as a user writes it."""
        super().__init__(F(field), Value(f"%{text.translate(_ESCAPED)}%"))
