"""Batch files of the OpenAI protocol: many chat requests, answered within a day (ADR 91)."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from apps.llm.cleaning import clean_json
from apps.llm.port import BatchReply
from apps.llm.servers.configuration import Server
from apps.llm.servers.errors import ServerError, misconfigured
from apps.llm.servers.json_values import object_of, objects_in
from apps.llm.servers.openai_client import Create, Tries, client_of, send
from apps.llm.servers.retry import RetryableError

KEY = "smallville_batch"  # the name of our key in the metadata of a batch
OVER = frozenset({"completed", "failed", "expired", "cancelled"})
PAGE, PAGES_MAX = 100, 20
HINT = "check that the server takes batch files, or set `batches: false` for it in MODELS_FILE"
_Reply = TypeVar("_Reply", bound=BaseModel)


class Batch(BaseModel):
    """The parts of a batch that are used."""

    id: str
    status: str
    output_file_id: str | None = None
    error_file_id: str | None = None
    errors: Any = None
    metadata: Any = None

    @property
    def is_over(self) -> bool:
        """Whether no further line will be answered."""
        return self.status in OVER

    @property
    def is_refused(self) -> bool:
        """Whether the server has found a fault in the file, and answers no line."""
        return self.status == "failed"

    @property
    def problem(self) -> str:
        """The status with what the server says of it."""
        told = [str(one.get("message", one)) for one in objects_in(self._errors)]
        return ": ".join([f"the batch {self.id} is {self.status}", *told[:1]])

    @property
    def _errors(self) -> object:
        return object_of(self.errors).get("data", self.errors)


class _File(BaseModel):
    id: str


class _Page(BaseModel):
    data: list[Batch]
    has_more: bool | None = None


class _Lines(BaseModel):
    lines: list[dict[str, Any]]


def create_batch(server: Server, key: str, bodies: Mapping[str, Mapping[str, Any]]) -> Batch:
    """Send requests as one batch, which `find_batch` finds by the key.

    :param bodies: the bodies of requests for chats, by the id of their lines.
    :raises ModelUnavailable: if the server does not answer; there may be a batch all the same.
    :raises ModelMisconfigured: if it refuses.
    """
    lines = [
        {"custom_id": name, "method": "POST", "url": "/v1/chat/completions", "body": body}
        for name, body in bodies.items()
    ]
    content = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines).encode()
    client = client_of(server)
    file = _send(
        server,
        client.files.with_streaming_response.create,
        _File,
        file=(f"{key}.jsonl", content),
        purpose="batch",
    )
    # A request that was lost on its way may have created one, and is not repeated.
    return _send(
        server.model_copy(update={"retries": 0}),
        client.batches.with_streaming_response.create,
        Batch,
        input_file_id=file.id,
        endpoint="/v1/chat/completions",
        completion_window="24h",
        metadata={KEY: key},
    )


def find_batch(server: Server, key: str) -> Batch | None:
    """Return the batch of the key among the latest of the server; None if there is none."""
    listed, more = client_of(server).batches.with_streaming_response.list, dict[str, str]()
    for _ in range(PAGES_MAX):
        page = _send(server, listed, _Page, limit=PAGE, **more)
        for batch in page.data:
            if object_of(batch.metadata).get(KEY) == key:
                return batch
        if not page.has_more or not page.data:
            return None
        more = {"after": page.data[-1].id}
    return None


def read_batch(server: Server, batch_id: str) -> Batch:
    """Return the batch as it is now."""
    retrieve = client_of(server).batches.with_streaming_response.retrieve
    return _send(server, retrieve, Batch, batch_id=batch_id)


def cancel_batch(server: Server, batch_id: str) -> None:
    """Cancel the batch by one try; lines that are answered are paid for."""
    cancel = client_of(server).batches.with_streaming_response.cancel
    _send(server.model_copy(update={"retries": 0}), cancel, Batch, batch_id=batch_id)


def replies_of(server: Server, batch: Batch) -> dict[str, BatchReply]:
    """Return what the lines of a batch were answered with, by their ids.

    Lines that the server did not send to the model, as it was cancelled or has expired, have no
    reply.
    """
    content = client_of(server).files.with_streaming_response.content
    replies = {}
    for file_id in filter(None, (batch.output_file_id, batch.error_file_id)):
        for line in _send(server, content, _Lines, _lines_in, file_id=file_id).lines:
            response = object_of(line.get("response"))
            if response:
                status, body = response.get("status_code", 200), response.get("body")
                replies[str(line.get("custom_id"))] = BatchReply(status=status, body=body)
    return replies


def _lines_in(_server: Server, body: bytes, reply_type: type[_Reply]) -> _Reply:
    try:
        lines: Sequence[Any] = [
            clean_json(json.loads(line))
            for line in body.decode("utf-8-sig").split("\n")  # answers may have other breaks
            if line.strip()
        ]
        return reply_type.model_validate({"lines": lines})
    except (ValidationError, ValueError, RecursionError) as error:
        raise RetryableError(
            "a file of a batch has something else than lines of JSON"
        ) from error


def _send(
    server: Server,
    create: Create,
    reply_type: type[_Reply],
    read: Any = None,
    **parameters: Any,
) -> _Reply:
    tries = Tries(server, lambda _: 0.0)
    try:
        return send(tries, create, parameters, reply_type, read).reply
    except ServerError as error:
        raise misconfigured(error, server, tries.setbacks, HINT) from error
