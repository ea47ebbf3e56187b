"""Calls that can wait are made in the cheaper tier of their server."""

import pytest
from django.test import override_settings

from apps import wiring
from apps.simulation.engine.in_process import run_until_rest
from tests.model_server.server import ModelServer
from tests.support.towns import EIGHT_THREADS, found
from tests.support.work_of_kinds import survey

pytestmark = pytest.mark.django_db(transaction=True)


def test_seed_ratings_and_surveys_take_the_cheaper_tier() -> None:
    with ModelServer(lambda _body: "I am not sure what you mean.") as server:
        own = server.as_server(name="own", service_tier="flex", embedding_server="offline")
        with override_settings(MODEL_SERVERS={"own": own}):
            spec = {"server": "own", "chat_model": own.chat_model}
            row = found(model=spec, agents=("Isabella Rodriguez",))
            run_until_rest(wiring.ports(), row.pk, EIGHT_THREADS)
            ratings = len(server.requests)
            assert survey(row).take()
    assert 0 < ratings < len(server.requests)
    assert {body.get("service_tier") for body in server.requests} == {"flex"}
