"""Sends calls of background work in batches of their servers, and reads the answers (ADR 91).

Work is taken again until its batches are over. Its calls are then asked as all others, of a
model that answers from the lines of the batches; a request that no line answers goes into the
next batch. So these lines are all that a process has to know of a call.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from hashlib import sha256
from typing import Any
from uuid import UUID

import structlog
from django.utils import timezone

from apps.kernel.batches import batches as in_batches
from apps.kernel.errors import DomainError
from apps.llm.calls.answering import CallFailed, ValidAnswer
from apps.llm.calls.call_log import CallKey
from apps.llm.calls.django_call_log import release_connection
from apps.llm.calls.gateway import BatchAwaited, Call, ask
from apps.llm.models import BatchRow
from apps.llm.opening import server_named
from apps.llm.port import (
    BatchChatModel,
    BatchReply,
    ChatModel,
    Completion,
    ModelMisconfigured,
    ModelUnavailable,
    Request,
)
from apps.llm.tokens import count_tokens

LINES_MAX = 1_000
"""Of one batch; the answers of more would not fit what is read of one reply."""
logger = structlog.get_logger(__name__)


class _Unanswered(Exception):
    """No line of a batch has a request of a call."""

    def __init__(self, line: str, request: Request) -> None:
        super().__init__(line)
        self.line = line
        self.request = request


@dataclass(slots=True)
class _FromBatches:
    """Answers the requests of one call, one after the other, from the lines of batches.

    A reply is the reason if a line has none. `is_asked` lets the model itself answer a request
    that no line answers. `line` is the id of the last one.
    """

    chat: BatchChatModel
    name_of_call: str
    replies: Mapping[str, BatchReply | str]
    is_asked: bool = False
    requests: int = 0
    line: str = ""
    remote: bool = True

    @property
    def server(self) -> str:
        """That of the model."""
        return self.chat.server

    @property
    def name(self) -> str:
        """That of the model."""
        return self.chat.name

    def complete(self, request: Request) -> Completion:
        """Return the answer that a line has; see `ChatModel`."""
        line = self.line = f"{self.name_of_call}-{self.requests}"
        self.requests += 1
        reply = self.replies.get(line)
        if isinstance(reply, BatchReply):
            try:
                return self.chat.read_batch_reply(request, reply)
            except ModelUnavailable as error:
                logger.info("line of a batch has an error", line=line, error=error.cause)
        elif reply is not None:
            raise ModelUnavailable(reply)
        if self.is_asked:
            return self.chat.complete(request)
        raise _Unanswered(line, request)


class BatchedCalls:
    """The batches of one piece of work. Used by one thread.

    `ensure_wanted` raises an error if no further model call is wanted. `tokens` are those of
    the prompts that wait to be sent.
    """

    def __init__(self, kind: str, work_id: UUID, ensure_wanted: Callable[[], object]) -> None:
        self._work = {"kind": kind, "work_id": work_id}
        self.ensure_wanted = ensure_wanted
        self.tokens = 0
        self._unanswered: dict[CallKey, tuple[_FromBatches, _Unanswered]] = {}
        self._tasks_asked: set[str] = set()
        self._added: dict[str, dict[str, tuple[BatchChatModel, Request]]] = defaultdict(dict)

    def ensure_over(self) -> None:
        """Look at the batches that are not over, up to the first that still is not.

        :raises BatchAwaited: if one is not; the work is taken again later.
        :raises ModelMisconfigured: if the server has refused one whole.
        :raises ModelUnavailable: if the server does not answer.
        """
        rows = BatchRow.objects.filter(**self._work, is_over=False)
        if any(_is_awaited(row) for row in rows):
            raise BatchAwaited

    def read(self, calls: Sequence[Call]) -> Iterator[tuple[Call, Future[ValidAnswer[Any]]]]:
        """Yield the calls that batches answer, and those for which they failed.

        When all were taken, lines without an answer are forgotten, so that they are sent again.
        """
        wrong = set()
        for call in calls:
            chat = call.model.chat
            if not (isinstance(chat, BatchChatModel) and chat.takes_batches):
                continue
            model = _FromBatches(chat, _name_of(call), self._replies)
            done = Future[ValidAnswer[Any]]()
            try:
                done.set_result(ask(_asked_of(call, model)))
            except _Unanswered as unanswered:
                self._unanswered[call.key] = model, unanswered
                wrong |= {unanswered.line} & self._replies.keys()
                continue
            except CallFailed as failure:
                wrong.add(model.line)
                # What was answered before is counted when the call is: its lines stay.
                done.set_exception(CallFailed(failure.error, ()))
            yield call, done
        if wrong:
            for row in BatchRow.objects.filter(**self._work, lines__has_any_keys=sorted(wrong)):
                row.lines = [line for line in row.lines if line not in wrong]
                row.save(update_fields=["lines"])

    def add(self, calls: Sequence[Call]) -> list[Call]:
        """Add the calls that were read to the next batch; return those that are asked at once.

        Of the calls whose line has an error, the first of each LLM task is: it tells what the
        server refuses, which the model leaves out of the others.
        """
        asked = []
        for call in calls:
            if call.key not in self._unanswered:
                asked.append(call)
                continue
            model, unanswered = self._unanswered[call.key]
            if unanswered.line in self._replies and call.place.task not in self._tasks_asked:
                self._tasks_asked.add(call.place.task)
                asked.append(_asked_of(call, replace(model, is_asked=True, requests=0)))
            else:
                self._added[model.server][unanswered.line] = model.chat, unanswered.request
                self.tokens += _tokens_of(unanswered.request)
        return asked

    def send(self) -> None:
        """Send what was added, each row before its batch, so that none is lost.

        :raises BatchAwaited: if anything was; the work is taken again later.
        :raises ModelUnavailable: if the server does not answer.
        :raises ModelMisconfigured: if it refuses.
        """
        for server, added in self._added.items():
            for part in in_batches(list(added.items()), LINES_MAX):
                self.ensure_wanted()
                lines = {line: chat.batch_body(request) for line, (chat, request) in part}
                values = {"server": server, "lines": list(lines), "look_at": _next_look(server)}
                _create(BatchRow.objects.create(**self._work, **values), lines)
        if self._added:
            raise BatchAwaited

    @cached_property
    def _replies(self) -> dict[str, BatchReply | str]:
        """By line the reply of the latest batch that has it, or why there is none."""
        found: dict[str, BatchReply | str] = {}
        for row in BatchRow.objects.filter(**self._work).order_by("created_at"):
            release_connection()
            server = server_named(row.server)
            batch = _protocol().read_batch(server, row.batch_id)
            replies = _protocol().replies_of(server, batch)
            found |= {line: replies.get(line, batch.problem) for line in row.lines}
        return found


def awaited_batches(work_ids: Collection[UUID]) -> dict[UUID, BatchRow]:
    """Return the earliest batch that work waits for, by the id of the work."""
    rows = BatchRow.objects.filter(work_id__in=work_ids, is_over=False)
    return {row.work_id: row for row in rows.order_by("-created_at")}


def drop_batches(is_wanted: Callable[[str, UUID], bool]) -> None:
    """Delete the batches of work that is over, and cancel those that are not.

    :param is_wanted: whether the work of a kind and an id is there and not over.
    """
    for row in BatchRow.objects.order_by("created_at"):
        if is_wanted(row.kind, row.work_id):
            continue
        try:
            if not row.is_over and (row.batch_id or _is_awaited(row)):
                release_connection()
                _protocol().cancel_batch(server_named(row.server), row.batch_id)
        except ModelUnavailable as error:
            logger.warning("batch not cancelled yet", batch=row.batch_id, error=error.message)
            continue
        except DomainError as error:  # it is over, or its server is not set up any more
            logger.info("batch not cancelled", batch=row.batch_id, error=error.message)
        row.delete()


def _create(row: BatchRow, lines: Mapping[str, Mapping[str, Any]]) -> None:
    """Create the batch of a row, unless the work is over by then."""
    release_connection()
    server = server_named(row.server)
    try:
        batch = _protocol().create_batch(server, str(row.pk), lines)
    except ModelMisconfigured:
        row.delete()
        raise
    if not BatchRow.objects.filter(pk=row.pk).update(batch_id=batch.id):
        _protocol().cancel_batch(server, batch.id)


def _is_awaited(row: BatchRow) -> bool:
    """Return whether a batch is not over, as its server says from time to time.

    A row without the id of its batch is of a process that was lost while it created it.
    """
    if row.batch_id and row.look_at > timezone.now():
        return True
    server = server_named(row.server)
    release_connection()
    if row.batch_id:
        batch = _protocol().read_batch(server, row.batch_id)
    elif (found := _protocol().find_batch(server, str(row.pk))) is None:
        row.delete()
        return False
    else:
        batch = found
    if batch.is_refused:
        row.delete()
        raise ModelMisconfigured(
            f"the model server {server.name!r} refuses all: {batch.problem}", model=server.name
        )
    row.batch_id = batch.id
    BatchRow.objects.filter(pk=row.pk).update(
        batch_id=batch.id, is_over=batch.is_over, look_at=_next_look(row.server)
    )
    return not batch.is_over


def _next_look(server: str) -> datetime:
    return timezone.now() + timedelta(seconds=server_named(server).batch_look_seconds)


def _tokens_of(request: Request) -> int:
    return sum(count_tokens(message.content) for message in request.messages)


def _name_of(call: Call) -> str:
    """Return the name of a call in the ids of its lines."""
    return sha256(f"{call.key.call_id} {call.key.request_sha256}".encode()).hexdigest()[:32]


def _asked_of(call: Call, chat: ChatModel) -> Call:
    return replace(call, model=replace(call.model, chat=chat))


def _protocol() -> Any:
    """Return the module of the protocol, which takes a second to import."""
    from apps.llm.servers import openai_batches  # noqa: PLC0415

    return openai_batches
