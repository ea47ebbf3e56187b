"""People who come to town, and who leave it."""

from typing import Any, ClassVar

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps import wiring
from apps.api.commanding import Asked, Command, accepted, asking_of
from apps.api.fields import NAME_CHARACTERS_MAX, Strict, Text, Whole
from apps.api.openapi import problem, refusal
from apps.api.views.agents import Agents, OneAgent
from apps.kernel import names
from apps.simulation.commands.add_agent import request_agent
from apps.simulation.commands.remove_agent import request_removal

AGE_MAX = 150
LIST_MAX = 100
PATH_CHARACTERS_MAX = 300
DESCRIPTION_CHARACTERS_MAX = 20_000

_CLOCK_PATTERN = r"^([01]?\d|2[0-4]):[0-5]\d$"


class TimeOfDay(serializers.RegexField):
    """A time of the day: "07:00"."""

    default_error_messages: ClassVar = {"invalid": "write a time of the day such as 07:30"}

    def __init__(self, **given: Any) -> None:
        """Take what any field takes."""
        super().__init__(_CLOCK_PATTERN, **given)


class NewcomerHours(Strict):
    """When somebody wakes, goes to bed and dines: "07:00"."""

    wake = TimeOfDay(help_text="When they wake.")
    sleep = TimeOfDay(help_text="When they go to bed.")
    dinner = TimeOfDay(required=False, help_text="When they dine, if they do.")


class Newcomer(Asked):
    """Somebody who is to come to town (U5)."""

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


_ADA = OpenApiExample(
    "A new student",
    {
        "name": "Ada Finch",
        "age": 22,
        "traits": ["patient", "curious"],
        "description": "Ada Finch studies history; Ada Finch likes lunch at Hobbs Cafe at noon",
        "hours": {"wake": "07:00", "sleep": "23:00"},
        "home": "Oak Hill College Dorm: Ayesha Khan's room",
        "knows": ["Hobbs Cafe"],
        "reason": "to see whom she meets",
    },
    request_only=True,
)
_TAKEN = refusal(
    "The name is taken, the time is past, or the world's files have changed (`name-taken`, "
    "`time-past`, `world-changed`)."
)

_UNFIT = refusal(
    "A value cannot be used (`invalid-request`), a place is unknown (`unknown-place`) or not "
    "the only one of its name (`ambiguous-place`), or nobody can live so (`newcomer-unfit`)."
)


class People(Agents):
    """The people of a simulation, and who is to join them."""

    @extend_schema(
        operation_id="addAgent",
        summary="Have a person come to town, before or during a run",
        tags=["people"],
        request=Newcomer,
        responses={202: Command, problem(409): _TAKEN, problem(422): _UNFIT},
        examples=[_ADA],
    )
    def post(self, request: Request, **_names: str) -> Response:
        """Ask for the person to come."""
        asked = self.body(Newcomer)
        asking = asking_of(self, asked)
        name = asked.pop("name")
        tree = self.reading.constants().world.tree
        for where in ("home", "bed", "workplace"):
            if where in asked:
                asked[where] = tree.resolve(asked[where]).path
        known = [tree.resolve(words).path for words in asked.pop("knows", [])]
        command = request_agent(
            wiring.ports(),
            self.reading.id,
            name=name,
            facts=asked | {"knows": list(dict.fromkeys(known))},
            issuer=asking,
        )
        return accepted(self, request, command)


class Person(OneAgent):
    """A person, and their leaving."""

    @extend_schema(
        operation_id="sendAgentAway",
        summary="Have a person leave town; their memories stay to be read",
        tags=["people"],
        responses={
            202: Command,
            problem(409): refusal(
                "Nobody else would be left, or a user acts for them "
                "(`last-person`, `embodied`)."
            ),
        },
    )
    def delete(self, request: Request, **_names: str) -> Response:
        """Ask for the person to leave."""
        command = request_removal(
            self.reading.id, self.person.agent, issuer=asking_of(self, {})
        )
        return accepted(self, request, command)
