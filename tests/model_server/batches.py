"""Batch files of the test server: /v1/files and /v1/batches, whose course a test chooses."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from email import message_from_bytes
from typing import Any

Body = dict[str, Any]
Answer = Callable[[Body], tuple[int, Body]]
PAGE = 20


@dataclass
class BatchFiles:
    """The files and the batches of a server.

    A batch is over after so many `looks`, and then is what `ends` says. Of one that has not
    completed only the first `lines_max` lines are answered. `lines` keeps the lines of all
    batches, `cancelled` the ids of those that were cancelled. The replies to so many creations
    are lost as `loses_replies` says, or held until the server ends.
    """

    answer: Answer
    looks: int = 1
    ends: str = "completed"
    lines_max: int = 0
    loses_replies: int = 0
    holds_replies: bool = False
    files: dict[str, str] = field(default_factory=dict)
    batches: dict[str, Body] = field(default_factory=dict)
    lines: list[Body] = field(default_factory=list)
    cancelled: list[str] = field(default_factory=list)

    def reply(self, path: str, data: bytes | None, content_type: str) -> tuple[int, str] | None:
        """Return the status and the body of the reply to a request; None for other paths."""
        place = path.partition("?")[0].removeprefix("/v1/").split("/")
        if place[0] == "files" and data is None:
            return 200, self.files[place[1]]
        if place[0] == "files" and data is not None:
            found = self._add_file(data, content_type)
        elif place[0] == "batches":
            found = self._batch(path, place[1:], data)
        else:
            return None
        return 200, json.dumps(found)

    def _batch(self, path: str, place: list[str], data: bytes | None) -> Body:
        match place:
            case []:
                return self._page(path) if data is None else self._create(json.loads(data))
            case [name, "cancel"]:
                self.cancelled.append(name)
                self.batches[name]["status"] = "cancelled"
                return self.batches[name]
            case _:
                return self._look(place[0])

    def loses(self) -> bool:
        """Return whether this reply to a creation is lost."""
        self.loses_replies -= 1
        return self.loses_replies >= 0

    def _add_file(self, data: bytes, content_type: str) -> Body:
        form = message_from_bytes(f"content-type: {content_type}\r\n\r\n".encode() + data)
        parts: dict[str, Any] = {
            str(part.get_param("name", header="content-disposition")): part.get_payload(
                decode=True
            )
            for part in form.walk()
            if not part.is_multipart()
        }
        assert parts["purpose"] == b"batch"
        return self._file(parts["file"].decode())

    def _file(self, text: str) -> Body:
        name = f"file-{len(self.files) + 1}"
        self.files[name] = text
        return {"id": name, "object": "file", "purpose": "batch"}

    def _create(self, body: Body) -> Body:
        assert body["endpoint"] == "/v1/chat/completions"
        assert body["completion_window"] == "24h"
        name = f"batch_{len(self.batches) + 1}"
        batch = {"id": name, "object": "batch", "status": "validating", "looks": 0, **body}
        self.batches[name] = batch
        return batch

    def _page(self, path: str) -> Body:
        """Return a page of the batches, the latest first."""
        after = path.partition("after=")[2].partition("&")[0]
        names = list(reversed(self.batches))
        names = names[names.index(after) + 1 :] if after else names
        data = [self.batches[name] for name in names[:PAGE]]
        return {"object": "list", "data": data, "has_more": len(names) > PAGE}

    def _look(self, name: str) -> Body:
        batch = self.batches[name]
        batch["looks"] += 1
        if batch["looks"] >= self.looks and batch["status"] in ("validating", "in_progress"):
            batch["status"] = self.ends
            self._end(batch)
        elif batch["status"] == "validating":
            batch["status"] = "in_progress"
        return batch

    def _end(self, batch: Body) -> None:
        """Answer the lines, the last one first, and put errors into a file of their own."""
        if self.ends == "failed":
            error = {"code": "model_not_found", "message": "this model has no batches"}
            batch["errors"] = {"object": "list", "data": [error]}
            return
        text = self.files[batch["input_file_id"]]
        lines = [json.loads(line) for line in text.splitlines()]
        assert len({line["custom_id"] for line in lines}) == len(lines)
        answered = lines if self.ends == "completed" else lines[: self.lines_max]
        right, wrong = list[Body](), list[Body]()
        for line in reversed(answered):
            self.lines.append(line)
            status, body = self.answer(line["body"])
            response = {"status_code": status, "request_id": "request", "body": body}
            reply = {"id": "line", "custom_id": line["custom_id"], "response": response}
            (right if status < 400 else wrong).append({**reply, "error": None})
        for line in lines[len(answered) :]:
            error = {"code": f"batch_{self.ends}", "message": "not executed in time"}
            wrong.append({"custom_id": line["custom_id"], "response": None, "error": error})
        for kind, replies in (("output_file_id", right), ("error_file_id", wrong)):
            if replies:
                batch[kind] = self._file("".join(json.dumps(one) + "\n" for one in replies))[
                    "id"
                ]
