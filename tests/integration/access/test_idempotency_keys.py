"""Kept answers on a real PostgreSQL: what dies leaves nothing behind, what races is one."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.db import DatabaseError, connection, transaction
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone

from apps.access import idempotency
from apps.access.idempotency import IdempotentRequest, RequestInProgress
from apps.access.models import StoredResponse
from apps.api.http.idempotency_keys import REPLAYED, STORED_BYTES_MAX, respond_once
from apps.worker import tasks

pytestmark = pytest.mark.django_db(transaction=True)
PATIENCE_SECONDS = 60


@pytest.fixture
def keyed_request() -> IdempotentRequest:
    user = User.objects.create_user("isabella")
    return IdempotentRequest(
        user_id=user.pk, key="one", request="POST /groups", canonical_body=b"{}"
    )


def makes_a_group(status: int = 201) -> Callable[[], HttpResponseBase]:
    """Return something that leaves a trace and answers."""

    def finish() -> HttpResponse:
        Group.objects.create(name=f"group {Group.objects.count()}")
        return HttpResponse(b"made", status=status, headers={"Location": "/groups/1"})

    return finish


class TestOnce:
    def test_does_it_once_and_answers_the_same(self, keyed_request: IdempotentRequest) -> None:
        first = respond_once(keyed_request, makes_a_group(), waits_for_llm=False)
        again = respond_once(keyed_request, makes_a_group(), waits_for_llm=False)
        assert isinstance(again, HttpResponse)
        assert (again.status_code, again.content, again["Location"]) == (
            201,
            b"made",
            "/groups/1",
        )
        assert REPLAYED not in first.headers
        assert again[REPLAYED] == "true"
        assert Group.objects.count() == 1

    def test_keeps_no_answer_that_is_huge(self, keyed_request: IdempotentRequest) -> None:
        def finish() -> HttpResponse:
            return HttpResponse(b"a" * (STORED_BYTES_MAX + 1))

        for _ in range(2):
            assert (
                REPLAYED not in respond_once(keyed_request, finish, waits_for_llm=False).headers
            )

    def test_keeps_nothing_of_what_went_wrong_in_the_service(
        self, keyed_request: IdempotentRequest
    ) -> None:
        respond_once(keyed_request, makes_a_group(503), waits_for_llm=False)
        assert not Group.objects.exists()
        assert not StoredResponse.objects.exists()
        assert (
            respond_once(keyed_request, makes_a_group(), waits_for_llm=False).status_code == 201
        )

    def test_lets_what_a_model_failed_at_be_tried_again(
        self, keyed_request: IdempotentRequest
    ) -> None:
        respond_once(keyed_request, makes_a_group(502), waits_for_llm=True)
        assert not StoredResponse.objects.exists()
        assert (
            respond_once(keyed_request, makes_a_group(), waits_for_llm=True).status_code == 201
        )
        assert (
            respond_once(keyed_request, makes_a_group(), waits_for_llm=True).headers[REPLAYED]
            == "true"
        )

    @pytest.mark.parametrize("waits_for_llm", [False, True])
    def test_leaves_the_key_free_if_it_breaks_off(
        self, keyed_request: IdempotentRequest, waits_for_llm: bool
    ) -> None:
        def breaks_off() -> HttpResponseBase:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            respond_once(keyed_request, breaks_off, waits_for_llm=waits_for_llm)
        assert (
            REPLAYED
            not in respond_once(
                keyed_request, makes_a_group(), waits_for_llm=waits_for_llm
            ).headers
        )

    def test_has_done_nothing_where_its_process_died(
        self, keyed_request: IdempotentRequest
    ) -> None:
        done, told = threading.Event(), threading.Event()

        def dies() -> None:
            # It has made the group and kept the answer, and dies before it can commit.
            with transaction.atomic():
                idempotency.lock_key(keyed_request)
                makes_a_group()()
                idempotency.store_response(
                    keyed_request,
                    status=201,
                    headers={},
                    body=b"",
                )
                done.set()
                assert told.wait(PATIENCE_SECONDS)
                assert connection.connection is not None
                connection.connection.close()

        def dies_alone() -> None:
            with pytest.raises(DatabaseError):
                dies()
            connection.close()

        with ThreadPoolExecutor(1) as pool:
            dying = pool.submit(dies_alone)
            assert done.wait(PATIENCE_SECONDS)
            with pytest.raises(RequestInProgress):
                respond_once(keyed_request, makes_a_group(), waits_for_llm=False)
            told.set()
            dying.result(PATIENCE_SECONDS)
        assert once_released(keyed_request).status_code == 201
        assert Group.objects.count() == 1


def once_released(keyed_request: IdempotentRequest) -> Any:
    """Respond as soon as the server has noticed that the process is gone."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            return respond_once(keyed_request, makes_a_group(), waits_for_llm=False)
        except RequestInProgress:
            assert time.monotonic() < deadline, "the key stays locked"


class TestForgetting:
    def test_is_the_beats_to_do(self, keyed_request: IdempotentRequest, settings: Any) -> None:
        respond_once(keyed_request, makes_a_group(), waits_for_llm=False)
        StoredResponse.objects.update(created_at=timezone.now() - timedelta(hours=25))
        entry = settings.CELERY_BEAT_SCHEDULE["forget old answers"]
        assert entry["task"] == tasks.forget_old_answers.name
        tasks.forget_old_answers.run()
        assert not StoredResponse.objects.exists()
