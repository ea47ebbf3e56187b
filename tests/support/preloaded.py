"""Programs of the service as forks of a process that has loaded their modules.

A program loads some 2,700 modules, which takes two seconds of CPU. A server, one for each test
process, loads once those that do not depend on settings; a program is a fork of it.
"""

import gc
import importlib
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
MESSAGE_BYTES_MAX = 2**17
POLL_SECONDS = 0.01
PROGRAMS = (
    *("uvicorn", "celery.bin.celery", "celery.apps.worker", "celery.apps.beat"),
    *("apps.api.urls", "apps.api.server.run", "apps.worker.tasks", "apps.wiring"),
)
# They read the environment as they are loaded.
NOT_SHARED = ("prometheus_client", "smallville_api", "apps.embedded_postgres", "tests")


class PreloadedProcess(subprocess.Popen[Any]):
    """A process of `python ARGUMENTS` that is a child of the server of this process."""

    def _execute_child(self, args: Sequence[str], *options: Any) -> None:
        cwd, env = options[4:6]
        pipes = options[9:15]
        request = {
            "arguments": list(args),
            "cwd": str(cwd or Path.cwd()),
            "environment": dict(env),
        }
        given = pipes[0], pipes[3], pipes[5]
        files = [standard if file == -1 else file for standard, file in enumerate(given)]
        self.pid: int = server().ask(request, files)
        self._child_created = True
        self._close_pipe_fds(*pipes)  # type: ignore[attr-defined]

    def _try_wait(self, wait_flags: int) -> tuple[int, int]:
        while True:
            pid, status = server().ask({"poll": self.pid})
            if pid or wait_flags & os.WNOHANG:
                return pid, status
            time.sleep(POLL_SECONDS)

    def _internal_poll(self, *_: Any, **__: Any) -> int | None:
        with suppress(subprocess.TimeoutExpired):
            self._wait(timeout=0)  # type: ignore[attr-defined]
        return self.returncode


def run_program(
    arguments: Sequence[str], environment: Mapping[str, str], *, seconds: float = 120
) -> subprocess.CompletedProcess[str]:
    """Run `python ARGUMENTS` in the folder of the project to its end.

    :raises TimeoutExpired: if it does not end in time.
    """
    with PreloadedProcess(
        arguments,
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            printed, said = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    return subprocess.CompletedProcess(process.args, process.returncode, printed, said)


class Server:
    """The process that has loaded the modules, asked by one thread at a time."""

    def __init__(self) -> None:
        self._channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._lock = threading.Lock()
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__, str(theirs.fileno())],
            cwd=ROOT,
            pass_fds=[theirs.fileno()],
        )
        theirs.close()

    def ask(self, request: dict[str, Any], files: list[int] | None = None) -> Any:
        """Return the answer to a request that hands over files."""
        with self._lock:
            socket.send_fds(self._channel, [json.dumps(request).encode()], files or [])
            return json.loads(self._channel.recv(MESSAGE_BYTES_MAX))


@cache
def server() -> Server:
    """Return the server of this process, which ends with it."""
    return Server()


LIST_MODULES = f"""
import json, sys
import django
django.setup()
for program in {PROGRAMS}:
    __import__(program)
print(json.dumps([name for name in sys.modules if name != "__main__"]))
"""


def preload() -> None:
    """Load those modules of the programs that need neither settings nor rows.

    Which modules there are is told by a process that loads them with settings.
    """
    listed = subprocess.run(
        [sys.executable, "-c", LIST_MODULES],
        cwd=ROOT,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "smallville_api.settings"},
        check=True,
        stdout=subprocess.PIPE,
    )
    os.environ.pop("DJANGO_SETTINGS_MODULE", None)
    not_shared = dict.fromkeys(NOT_SHARED)
    sys.modules.update(not_shared)  # type: ignore[arg-type]  # None refuses an import
    for name in json.loads(listed.stdout):
        # Django raises errors of several kinds where it is not set up.
        with suppress(Exception):
            importlib.import_module(name)
    for name in not_shared:
        del sys.modules[name]
    gc.freeze()


def serve(channel: socket.socket) -> dict[str, Any]:
    """Answer requests until the test process ends; return in each fork, with its request."""
    while True:
        message, files, _, _ = socket.recv_fds(channel, MESSAGE_BYTES_MAX, maxfds=3)
        if not message:
            os._exit(0)
        request: dict[str, Any] = json.loads(message)
        if "poll" in request:
            answer: object = os.waitpid(request["poll"], os.WNOHANG)
        else:
            answer = os.fork()
            if not answer:
                channel.close()
                become(request, files)
                return request
            for file in files:
                os.close(file)
        channel.send(json.dumps(answer).encode())


def become(request: dict[str, Any], files: list[int]) -> None:
    """Take the environment, folder and standard files of a program."""
    for standard, file in enumerate(files):
        os.dup2(file, standard)
        os.close(file)
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["cwd"])
    signal.signal(signal.SIGINT, signal.default_int_handler)


def run(arguments: list[str]) -> None:
    """Run what `python ARGUMENTS` would: a module after -m, or a file."""
    if arguments[0] == "-m":
        sys.argv = arguments[1:]
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = arguments
        runpy.run_path(arguments[0], run_name="__main__")


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _channel = socket.socket(fileno=int(sys.argv[1]))
    preload()
    run(serve(_channel)["arguments"])
