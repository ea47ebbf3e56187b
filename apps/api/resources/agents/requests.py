"""The request that adds an agent to a simulation."""

from typing import Any, ClassVar

from drf_spectacular.utils import OpenApiExample
from rest_framework import serializers

from apps.api.http.fields import NAME_CHARACTERS_MAX, Strict, Text, Whole
from apps.api.resources.commands import CommandRequest
from apps.kernel import names

AGE_MAX = 150
LIST_MAX = 100
PATH_CHARACTERS_MAX = 300
DESCRIPTION_CHARACTERS_MAX = 20_000

_CLOCK_PATTERN = r"^([01]?\d|2[0-4]):[0-5]\d$"


class TimeOfDay(serializers.RegexField):
    """A time of the day: "07:00"."""

    default_error_messages: ClassVar = {"invalid": "write a time of the day such as 07:30"}

    def __init__(self, **inputs: Any) -> None:
        """Take what any field takes."""
        super().__init__(_CLOCK_PATTERN, **inputs)


class NewcomerHours(Strict):
    """The times at which an agent wakes, goes to bed and dines: "07:00"."""

    wake = TimeOfDay(help_text="When they wake.")
    sleep = TimeOfDay(help_text="When they go to bed.")
    dinner = TimeOfDay(required=False, help_text="When they dine, if they do.")


class Newcomer(CommandRequest):
    """An agent to add to the simulation (U5)."""

    name = Text(
        max_length=names.NAME_CHARACTERS_MAX,
        help_text="Their full name, from which the slug is made: letters, single spaces, "
        "hyphens and apostrophes.",
    )
    age = Whole(min_value=0, max_value=AGE_MAX, help_text="In years.")
    traits = serializers.ListField(
        child=Text(max_length=NAME_CHARACTERS_MAX),
        min_length=1,
        max_length=LIST_MAX,
        help_text="Innate traits, a word or two each.",
    )
    description = Text(
        max_length=DESCRIPTION_CHARACTERS_MAX,
        help_text="Phrases between semicolons; each becomes a memory that they begin with.",
    )
    hours = NewcomerHours(help_text="Their usual hours.")
    home = Text(max_length=PATH_CHARACTERS_MAX, help_text="An area with a bed in it.")
    bed = Text(
        max_length=PATH_CHARACTERS_MAX,
        required=False,
        help_text='Where they sleep, if it is not the object "bed" of their home.',
    )
    workplace = Text(
        max_length=PATH_CHARACTERS_MAX, required=False, help_text="An area where they work."
    )
    knows = serializers.ListField(
        child=Text(max_length=PATH_CHARACTERS_MAX),
        required=False,
        max_length=LIST_MAX,
        help_text="Places that they know at first, besides home and workplace.",
    )


EXAMPLE_OF_AGENT = OpenApiExample(
    "A new student",
    {
        "name": "Ada Finch",
        "age": 22,
        "traits": ["patient", "curious"],
        "description": "Ada Finch studies history; Ada Finch likes lunch at Hobbs Cafe at noon",
        "hours": {"wake": "07:00", "sleep": "23:00"},
        "home": "Oak Hill College Dorm: Ayesha Khan's room",
        "knows": ["Hobbs Cafe"],
        "reason": "to observe her first meetings",
    },
    request_only=True,
)
