"""A simulation whose tasks are answered by several models."""

from collections import defaultdict

import pytest

from apps.interaction.answer_forms import AnswerForm, AnswerKind, NoValue
from apps.interaction.commands import InterviewRequest, answer_interview, request_interview
from apps.llm.model_spec import OFFLINE
from apps.llm.models import ModelCallRow
from tests.support.thinking_towns import ThinkingTown, thinking_town
from tests.support.towns import history_of

pytestmark = pytest.mark.django_db(transaction=True)

ISABELLA = ("Isabella Rodriguez",)
SEVEN = 2_520  # in the morning: she is up and has planned her day


def servers_by_app(town: ThinkingTown) -> dict[str, set[str]]:
    servers = defaultdict(set)
    rows = ModelCallRow.objects.filter(simulation_id=town.row.pk)
    for task, server in rows.values_list("task", "server"):
        servers[task.partition(".")[0]].add(server)
    return servers


def test_asks_for_each_task_the_model_that_it_names() -> None:
    with thinking_town(ISABELLA) as town:
        assert town.live(SEVEN).committed_tick == SEVEN
        history = history_of(town.row.pk)
        assert servers_by_app(town)["planning"] == {"test"}
    routed = {"server": OFFLINE, "embedding_server": "test", "tasks": {"planning.*": "test"}}
    with thinking_town(ISABELLA, model=routed) as town:
        row = town.live(SEVEN)
        assert row.committed_tick == SEVEN, row.reason
        servers = servers_by_app(town)
        assert servers.pop("planning") == {"test"}
        assert set.union(*servers.values()) == {OFFLINE}
        rows = ModelCallRow.objects.filter(simulation_id=town.row.pk)
        assert len(town.chats) == len(rows.filter(server="test"))
        # Both models give the same answers here, so that the history is the same.
        assert history_of(town.row.pk) == history


def test_gives_the_reason_of_the_model_that_has_answered_the_form() -> None:
    routed = {"server": OFFLINE, "tasks": {"interview.answer": "test"}}
    with thinking_town(ISABELLA, model=routed) as town:
        request = InterviewRequest(
            agent="isabella-rodriguez",
            question="How happy are you?",
            form=AnswerForm(kind=AnswerKind.SCALE, minimum=1, maximum=5),
            as_of_tick=0,
        )
        asked = request_interview(town.row.pk, request, by="a researcher")
        answered = answer_interview(town.ports, asked.pk)
        assert answered is not None
        [call] = answered.model_calls[-1:]
        assert "/interview.number/" in call
        # The rule-based model answers no scales; of another model it would be "not given".
        assert (answered.value, answered.no_value) == (None, NoValue.FORM_NOT_ANSWERED)
