"""The test server: /v1/chat/completions and /v1/embeddings on a free port of loopback."""

import json
import threading
from collections import deque
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from apps.llm.hashing_embedding import HashingEmbedding
from apps.llm.servers import openai_client
from apps.llm.servers.configuration import Server
from tests.model_server.batches import BatchFiles
from tests.model_server.faults import (
    Body,
    Delay,
    Drop,
    Fault,
    Flood,
    Reply,
    Says,
    Status,
    Trickle,
)

MODEL = "test-chat"
EMBEDDING_MODEL = "test-embedding"
DIMENSIONS = 16
PROMPT_TOKENS, COMPLETION_TOKENS = 11, 7  # what it says of every answer
TOKENS_PER_ANSWER = PROMPT_TOKENS + COMPLETION_TOKENS
KEY = "sk-test-0123456789abcdef"

AnswerFunction = Callable[[dict[str, Any]], str]


class ModelServer:
    """Runs while the `with` lasts.

    `answer` makes the content of an answer from the request's body. `plan` lists what
    goes wrong, one fault a request; when it is used up all is well. `for_good` goes wrong
    with every request after `answers_before`, and `kind` ("chat" or "embeddings") keeps both
    to such requests. `quirk` returns what goes wrong with a request, None for nothing.
    `requests` keeps the bodies, in order of arrival, and `sent` their paths and headers;
    `answered` keeps the bodies that nothing went wrong with. The switches hold for every
    request. Replies have the members of `says` as well, and `pages` has bodies of GET by path;
    `read` are the paths that were requested so. Lines of `batches` are answered as requests
    are, by `answer` or with an error of `quirk`, `refused_parameters` and the switches.
    """

    def __init__(self, answer: AnswerFunction) -> None:
        self.answer = answer
        self.plan: deque[Fault] = deque()
        self.for_good: Fault | None = None
        self.kind = ""
        self.quirk: Callable[[dict[str, Any]], Fault | None] = lambda _: None
        self.answers_before = 0
        self.requests: list[dict[str, Any]] = []
        self.answered: list[dict[str, Any]] = []
        self.sent: list[dict[str, str]] = []
        self.refused_parameters: set[str] = set()
        self.takes_schema = True
        self.takes_strict_schema = True
        self.dimensions = DIMENSIONS
        self.reports_usage = True
        self.cached_prompt_tokens: int | None = None
        self.says: dict[str, Any] = {}
        self.pages: dict[str, str] = {}
        self.read: list[str] = []
        self.batches = BatchFiles(self.answer_line)
        self.open_at_once_max = 0
        self.closing = threading.Event()
        self._open = 0
        self._lock = threading.Lock()
        self._http = _Http(("127.0.0.1", 0), _handler_for(self))
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,))

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        for server in [one for one in openai_client._clients if one.base_url == self.url]:
            openai_client._clients.pop(server).close()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        """The base URL that clients are given."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def as_server(self, **settings: Any) -> Server:
        """Return it as the settings would name it; patience is short in tests."""
        inputs: dict[str, Any] = {
            "name": "test",
            "base_url": self.url,
            "api_key": KEY,
            "chat_model": MODEL,
            "embedding_model": EMBEDDING_MODEL,
            "embedding_dimensions": DIMENSIONS,
            "timeout_seconds": 5.0,
            "retries": 2,
            "wait_seconds_first": 0.01,
        }
        return Server(**(inputs | settings))

    def goes_wrong(self, *faults: Fault) -> None:
        """Plan faults for the next requests, one each."""
        self.plan.extend(faults)

    def took(self, body: dict[str, Any]) -> Fault | None:
        """Note a request; return what shall go wrong with it."""
        with self._lock:
            self.requests.append(body)
            self._open += 1
            self.open_at_once_max = max(self.open_at_once_max, self._open)
            if self.kind not in ("", "chat" if "messages" in body else "embeddings"):
                return None
            if self.plan:
                return self.plan.popleft()
            if len(self.requests) > self.answers_before and self.for_good:
                return self.for_good
            return self.quirk(body)

    def done(self) -> None:
        """Note that a request is over."""
        with self._lock:
            self._open -= 1

    def answer_line(self, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """Return the status and the body of the reply to a line of a batch."""
        match self.quirk(body) or self.refusal_of(body):
            case Status() as fault:
                return fault.code, {"error": {"message": fault.message, "param": fault.param}}
            case Says(text, cut):
                return 200, self.completion(body, text, cut=cut)
            case _:
                return 200, self.completion(body, self.answer(body))

    def completion(
        self, body: dict[str, Any], content: str, *, cut: bool = False
    ) -> dict[str, Any]:
        """Return a chat completion with this text; `cut` says that the limit ended it."""
        answer: dict[str, Any] = {
            "id": "completion-1",
            "object": "chat.completion",
            "created": 0,
            "model": body["model"],
            "choices": [
                {
                    "index": 0,
                    "finish_reason": "length" if cut else "stop",
                    "message": {"role": "assistant", "content": content},
                }
            ],
        }
        if self.reports_usage:
            answer["usage"] = self.usage_of(body, content)
        return answer | self.says

    def usage_of(self, body: dict[str, Any], content: str) -> dict[str, Any]:
        """Return the tokens of a request and its answer: the same ones of all."""
        usage: dict[str, Any] = {
            "prompt_tokens": PROMPT_TOKENS,
            "completion_tokens": COMPLETION_TOKENS,
            "total_tokens": TOKENS_PER_ANSWER,
        }
        if self.cached_prompt_tokens is not None:
            usage["prompt_tokens_details"] = {"cached_tokens": self.cached_prompt_tokens}
        return usage

    def refusal_of(self, body: dict[str, Any]) -> Status | None:
        """Return the 400 of a server that does not know a parameter, or None."""
        for name in self.refused_parameters:
            if name in body:
                return Status(400, f"Unsupported parameter: '{name}'", param=name)
        asked = body.get("response_format", {}).get("json_schema")
        if asked is None:
            return None
        if not self.takes_schema:
            return Status(400, "response_format must be text or json_object")
        if asked["strict"] and not self.takes_strict_schema:
            return Status(400, "Invalid schema for response_format: minItems is not permitted")
        return None


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Stay silent: clients hang up on purpose here."""


def _handler_for(model_server: ModelServer) -> type[BaseHTTPRequestHandler]:
    class Handler(_Handler):
        owner = model_server

    return Handler


class _Handler(BaseHTTPRequestHandler):
    owner: ModelServer
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        data = self.rfile.read(int(self.headers["content-length"]))
        if self._answers_batches(data):
            return
        body = json.loads(data)
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.owner.sent.append({**headers, "path": self.path})
        fault = self.owner.took(body)
        try:
            self._answer(body, fault or self._standing_fault(body))
        finally:
            self.owner.done()

    def _answers_batches(self, data: bytes | None) -> bool:
        content_type = self.headers.get("content-type", "")
        reply = self.owner.batches.reply(self.path, data, content_type)
        batches = self.owner.batches
        is_creation = data is not None and self.path.endswith("/batches")
        if is_creation and batches.holds_replies:
            self.owner.closing.wait()
        elif is_creation and batches.loses():
            self.close_connection = True
        elif reply is not None:
            self._send(*reply)
        return reply is not None

    def do_GET(self) -> None:
        self.owner.read.append(self.path)
        if self._answers_batches(None):
            return
        page = self.owner.pages.get(self.path)
        self._send(404 if page is None else 200, page or '{"detail": "Not Found"}')

    def _standing_fault(self, body: dict[str, Any]) -> Fault | None:
        if self.headers["authorization"] != f"Bearer {KEY}":
            return Status(401, f"Incorrect API key provided: {self.headers['authorization']}")
        if body["model"] not in (MODEL, EMBEDDING_MODEL):
            return Status(404, f"The model {body['model']} does not exist")
        return self.owner.refusal_of(body)

    def _answer(self, body: dict[str, Any], fault: Fault | None) -> None:
        match fault:
            case Status():
                error = {"message": fault.message, "param": fault.param}
                error |= {"code": fault.code_word}
                self._send(fault.code, json.dumps({"error": error}), headers=fault.headers)
            case Body() | Reply():
                self._send_as_it_is(fault)
            case Delay():
                self.owner.closing.wait(fault.seconds)
                self._send(200, self._right(body))
            case Drop():
                self._drop(self._right(body), fault.after_bytes)
            case Trickle() | Flood():
                self._pour(fault)
            case Says():
                self._send(
                    200, json.dumps(self.owner.completion(body, fault.text, cut=fault.cut))
                )
            case None:
                self.owner.answered.append(body)
                self._send(200, self._right(body))

    def _send_as_it_is(self, fault: Body | Reply) -> None:
        if isinstance(fault, Body):
            self._send(200, fault.text, content_type=fault.content_type)
        else:
            self._send(fault.status, fault.text, headers=fault.headers)

    def _right(self, body: dict[str, Any]) -> str:
        if self.path.partition("?")[0].endswith("/embeddings"):
            return json.dumps(self._embeddings(body))
        return json.dumps(self.owner.completion(body, self.owner.answer(body)))

    def _embeddings(self, body: dict[str, Any]) -> dict[str, Any]:
        vectors = HashingEmbedding(self.owner.dimensions).embed(body["input"])
        data = [
            # Three times too long, and last first: clients must put both right.
            {
                "object": "embedding",
                "index": index,
                "embedding": [3 * value for value in vector],
            }
            for index, vector in reversed(list(enumerate(vectors)))
        ]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        told = {"object": "list", "model": body["model"], "data": data, "usage": usage}
        return told | self.owner.says

    def _send(
        self,
        status: int,
        text: str,
        *,
        content_type: str = "application/json",
        headers: dict[str, str] | None = None,
    ) -> None:
        data = text.encode("utf-8", "surrogatepass")
        self.send_response(status)
        self.send_header("content-type", content_type)
        self.send_header("content-length", str(len(data)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def _drop(self, text: str, after_bytes: int) -> None:
        if after_bytes:
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(text)))
            self.end_headers()
            self.wfile.write(text.encode()[:after_bytes])
            self.wfile.flush()
        self.close_connection = True

    def _pour(self, fault: Trickle | Flood) -> None:
        """Send a body without end, or one that is far too long, until somebody hangs up."""
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.end_headers()
        sent = 0
        while not self.owner.closing.is_set():
            match fault:
                case Trickle(seconds):
                    self.wfile.write(b" ")
                    self.owner.closing.wait(seconds)
                case Flood(size):
                    sent += self.wfile.write(b" " * 65_536)
                    if sent >= size:
                        break
        self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the base's name
        """Stay silent."""
