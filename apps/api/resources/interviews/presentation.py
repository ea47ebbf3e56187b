"""The request and the representation of an interview."""

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import OpenApiExample
from rest_framework import serializers
from rest_framework.request import Request

from apps.api.http.deprecation import deprecated_name_of
from apps.api.http.fields import Choice, Clock, PastMoment, Renaming, Strict, Text
from apps.api.http.simulation_context import clock_at
from apps.api.http.simulation_views import SimulationView
from apps.api.resources.commands import REASON_CHARACTERS_MAX, Command, show_command
from apps.api.resources.memories import Memory
from apps.interaction.commands import (
    PERSONA_CHARACTERS_MAX,
    PERSONA_DEFAULT,
    QUESTION_CHARACTERS_MAX,
)
from apps.interaction.conditions import Condition
from apps.interaction.models import InterviewRow
from apps.simulation.commands.command_log import get_command

CONDITIONS = [condition.value for condition in Condition]


class Question(Strict):
    """What a person is asked."""

    question = Text(max_length=QUESTION_CHARACTERS_MAX, help_text="In the words to be said.")
    persona = Text(
        max_length=PERSONA_CHARACTERS_MAX,
        required=False,
        default=PERSONA_DEFAULT,
        help_text='Who asks, as the person has it: "a reporter".',
    )
    remember = serializers.BooleanField(
        required=False,
        default=False,
        help_text="Whether the person remembers question and answer: then it is a command.",
    )
    conditions = Choice(
        choices=CONDITIONS,
        required=False,
        default=Condition.FULL.value,
        help_text="The kinds of memory that the answer may rest on.",
    )
    at = PastMoment(
        required=False,
        allow_null=True,
        help_text="As of when; now if left out. What is remembered is asked now.",
    )
    reason = Text(
        max_length=REASON_CHARACTERS_MAX,
        required=False,
        help_text="Why you ask; it is kept with the interview.",
    )


class UsedMemory(Memory):
    """A memory that the answer rests on: the query that brought it up, rank and score in it."""

    query = serializers.CharField()
    rank = serializers.IntegerField(min_value=1)
    score = serializers.FloatField()


class InterviewProblem(serializers.Serializer[Any]):
    """Why there is no answer."""

    code = serializers.CharField()
    detail = serializers.CharField()


class Interview(Renaming):
    """A question, and the answer once there is one."""

    id = serializers.UUIDField()
    status_url = serializers.URLField()
    state = Choice(choices=InterviewRow.State.choices)
    agent = serializers.CharField()
    persona = serializers.CharField()
    question = serializers.CharField()
    conditions = serializers.CharField()
    as_of = Clock(help_text="As of when the person was asked.")
    answer = serializers.CharField(allow_null=True)
    memories = UsedMemory(many=True, help_text="What went into the prompt, best first.")
    model_calls = serializers.ListField(
        child=serializers.CharField(), help_text="Ids under …/model-calls."
    )
    remembered = serializers.BooleanField()
    command = Command(allow_null=True, help_text="What has the person remember it.")
    by = serializers.CharField()
    reason = serializers.CharField()
    asked_at = serializers.DateTimeField(**deprecated_name_of("recorded_at"))
    answered_at = serializers.DateTimeField(
        allow_null=True, **deprecated_name_of("answer_recorded_at")
    )
    problem = InterviewProblem(allow_null=True)
    recorded_at = serializers.DateTimeField(help_text="By the service's clock.")
    answer_recorded_at = serializers.DateTimeField(
        allow_null=True, help_text="By the service's clock."
    )


ASKING = [
    OpenApiExample(
        "A reporter",
        {"question": "Who is running for mayor?", "persona": "a reporter"},
        request_only=True,
    ),
    OpenApiExample(
        "As of the morning, without reflections",
        {
            "question": "What inspires you right now and why?",
            "conditions": "no-reflection",
            "at": "2023-02-13T08:00:00",
        },
        request_only=True,
    ),
]


def show_interview(view: SimulationView, request: Request, row: InterviewRow) -> dict[str, Any]:
    """Return the representation of an interview."""
    names = {"simulation": view.context.id, "interview": row.pk}
    is_answered = row.state == InterviewRow.State.ANSWERED
    command = None
    if row.command_id is not None:
        command = show_command(view, request, get_command(view.context.id, row.command_id))
    members = {
        "id": row.pk,
        "status_url": request.build_absolute_uri(reverse("interview", kwargs=names)),
        "state": row.state,
        "agent": row.agent,
        "persona": row.persona,
        "question": row.question,
        "conditions": row.conditions,
        "as_of": clock_at(view.context.calendar, row.as_of_tick),
        "answer": row.answer if is_answered else None,
        "memories": [_used(view, memory) for memory in row.memories],
        "model_calls": row.model_calls,
        "remembered": row.remember and is_answered,
        "command": None,
        "by": row.by,
        "reason": row.reason,
        "recorded_at": row.asked_at,
        "answer_recorded_at": row.answered_at,
        "problem": {"code": row.problem_code, "detail": row.problem} if row.problem else None,
    }
    return {**Interview(members).data, "command": command}


def _used(view: SimulationView, memory: dict[str, Any]) -> dict[str, Any]:
    context = view.context
    return {
        **memory,
        "id": memory["number"],
        **context.moment("created", memory["formed_tick"]),
        **context.moment("last_retrieved", memory["last_retrieved_tick"]),
    }
