"""Kept answers on a real PostgreSQL: what dies leaves nothing behind, what races is one."""

import threading
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

from apps.access import idempotency as answers
from apps.access.idempotency import Keyed, StillUnderWay
from apps.access.models import KeptAnswer
from apps.api.http.idempotency_keys import KEPT_BYTES_MAX, REPLAYED, once
from apps.worker import tasks

pytestmark = pytest.mark.django_db(transaction=True)
PATIENCE_SECONDS = 20


@pytest.fixture
def keyed() -> Keyed:
    user = User.objects.create_user("isabella")
    return Keyed(user_id=user.pk, key="one", request="POST /groups", said=b"{}")


def makes_a_group(status: int = 201) -> Callable[[], HttpResponseBase]:
    """Return something that leaves a trace and answers."""

    def finish() -> HttpResponse:
        Group.objects.create(name=f"group {Group.objects.count()}")
        return HttpResponse(b"made", status=status, headers={"Location": "/groups/1"})

    return finish


class TestOnce:
    def test_does_it_once_and_answers_the_same(self, keyed: Keyed) -> None:
        first = once(keyed, makes_a_group(), thinks=False)
        again = once(keyed, makes_a_group(), thinks=False)
        assert isinstance(again, HttpResponse)
        assert (again.status_code, again.content, again["Location"]) == (
            201,
            b"made",
            "/groups/1",
        )
        assert REPLAYED not in first.headers
        assert again[REPLAYED] == "true"
        assert Group.objects.count() == 1

    def test_keeps_no_answer_that_is_huge(self, keyed: Keyed) -> None:
        def finish() -> HttpResponse:
            return HttpResponse(b"a" * (KEPT_BYTES_MAX + 1))

        for _ in range(2):
            assert REPLAYED not in once(keyed, finish, thinks=False).headers

    def test_keeps_nothing_of_what_went_wrong_in_the_service(self, keyed: Keyed) -> None:
        once(keyed, makes_a_group(503), thinks=False)
        assert not Group.objects.exists()
        assert not KeptAnswer.objects.exists()
        assert once(keyed, makes_a_group(), thinks=False).status_code == 201

    def test_lets_what_a_model_failed_at_be_tried_again(self, keyed: Keyed) -> None:
        once(keyed, makes_a_group(502), thinks=True)
        assert not KeptAnswer.objects.exists()
        assert once(keyed, makes_a_group(), thinks=True).status_code == 201
        assert once(keyed, makes_a_group(), thinks=True).headers[REPLAYED] == "true"

    @pytest.mark.parametrize("thinks", [False, True])
    def test_leaves_the_key_free_if_it_breaks_off(self, keyed: Keyed, thinks: bool) -> None:
        def breaks_off() -> HttpResponseBase:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            once(keyed, breaks_off, thinks=thinks)
        assert REPLAYED not in once(keyed, makes_a_group(), thinks=thinks).headers

    def test_has_done_nothing_where_its_process_died(self, keyed: Keyed) -> None:
        done, told = threading.Event(), threading.Event()

        def dies() -> None:
            # It has made the group and kept the answer, and dies before it can commit.
            with transaction.atomic():
                answers.hold_key(keyed)
                makes_a_group()()
                answers.keep_answer(keyed, answers.Answer(status=201, headers={}, body=b""))
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
            with pytest.raises(StillUnderWay):
                once(keyed, makes_a_group(), thinks=False)
            told.set()
            dying.result(PATIENCE_SECONDS)
        assert once(keyed, makes_a_group(), thinks=False).status_code == 201
        assert Group.objects.count() == 1


class TestForgetting:
    def test_is_the_beats_to_do(self, keyed: Keyed, settings: Any) -> None:
        once(keyed, makes_a_group(), thinks=False)
        KeptAnswer.objects.update(created_at=timezone.now() - timedelta(hours=25))
        entry = settings.CELERY_BEAT_SCHEDULE["forget old answers"]
        assert entry["task"] == tasks.forget_old_answers.name
        tasks.forget_old_answers.run()
        assert not KeptAnswer.objects.exists()
