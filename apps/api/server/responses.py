"""Problem documents that the server sends itself, without the application."""

import json
from http import HTTPStatus
from uuid import uuid4

from apps.kernel.errors import DomainError


def response_bytes(error: DomainError, instance: str) -> bytes:
    """Return a whole HTTP response with the error, which ends the connection.

    :param instance: the path of the request, "" if it is not known.
    """
    # It imports Django's models; uvicorn loads its protocol before the application.
    from apps.api.http.problems import PROBLEM_JSON, problem_of  # noqa: PLC0415

    problem = problem_of(error)
    assert problem is not None, "every error has a problem document"
    body = json.dumps(problem.body(instance)).encode()
    headers = {
        "Content-Type": PROBLEM_JSON,
        "Content-Length": str(len(body)),
        "Connection": "close",
        "X-Content-Type-Options": "nosniff",
        "X-Request-ID": uuid4().hex,
        **problem.headers,
    }
    head = [f"HTTP/1.1 {problem.status} {HTTPStatus(problem.status).phrase}"]
    head += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*head, "", ""]).encode("ascii") + body
