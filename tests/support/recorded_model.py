"""A chat model that gives recorded answers, and asks for those that are not recorded."""

import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from apps.llm.port import ChatModel, Completion, ModelUnavailable, Request
from apps.llm.tokens import count_tokens
from tests.support.recorded_answers import Json, RecordedAnswers, answer_text
from tests.support.situations import Situation, situation_of

POLL_SECONDS = 0.3

# Returns the answer to a question that is not recorded, None to let the rules answer.
Ask = Callable[[Request, Situation], Json | str | None]


def ask_nobody(_request: Request, _situation: Situation) -> None:
    """Return no answer: the rules answer."""


@dataclass(kw_only=True)
class RecordedModel:
    """Gives recorded answers, which are read, checked and adjusted like those of a server.

    It is remote, as the models are whose answers were recorded. `rules` answers what is not
    recorded; `unrecorded` are the situations of those questions, and `given` the calls that
    have a recorded answer.
    """

    answers: RecordedAnswers
    rules: ChatModel
    ask: Ask = ask_nobody
    server: str = "recorded"
    name: str = "recorded"
    remote: bool = True
    unrecorded: list[Situation] = field(default_factory=list)
    given: set[str] = field(default_factory=set)

    def complete(self, request: Request) -> Completion:
        """Return the recorded answer, else that of `ask`, else that of the rules."""
        situation = situation_of(request)
        call_id = f"{request.call_id}/{len(request.messages)}"
        answer = self.answers.take(situation, call_id)
        if answer is None:
            answer = self.ask(request, situation)
            if answer is None:
                self.unrecorded.append(situation)
                return self.rules.complete(request)
            self.answers.add(situation, answer, call_id)
        self.given.add(request.call_id)
        text = answer_text(answer, request.inputs)
        return Completion(
            text=text,
            prompt_tokens=sum(count_tokens(message.content) for message in request.messages),
            completion_tokens=count_tokens(text),
        )


class Mailbox:
    """Asks by files: a question is a file, and its answer is awaited beside it.

    `<agent>/<clock> <task> <number>.question.md` has the prompt, the options and the schema;
    the answer is the file `….answer.yaml` of the same name, which is moved to `answered`. A
    file `stop` in the folder ends the wait of all questions. Tasks of `left_out` are not asked.
    """

    def __init__(self, folder: Path, *, left_out: frozenset[str] = frozenset()) -> None:
        self._folder = folder
        self._left_out = left_out
        self._lock = threading.Lock()
        self._number = 0

    def ask(self, request: Request, situation: Situation) -> Json | str | None:
        """Write the question; return its answer when it has come.

        :raises ModelUnavailable: if there is the file `stop`.
        """
        if request.task_name in self._left_out:
            return None
        question = self._write(request, situation)
        stem = question.name.removesuffix(".question.md")
        answer = question.with_name(f"{stem}.answer.yaml")
        try:
            while True:
                if (self._folder / "stop").exists():
                    raise ModelUnavailable("the mailbox is closed")
                if answer.exists() and (read := _read(answer)) is not None:
                    answered = self._folder / "answered"
                    answered.mkdir(exist_ok=True)
                    answer.rename(answered / f"{situation.agent} {answer.name}")
                    return read
                time.sleep(POLL_SECONDS)
        finally:
            question.unlink()

    def _write(self, request: Request, situation: Situation) -> Path:
        with self._lock:
            self._number += 1
            number = self._number
        folder = self._folder / situation.agent.lower().replace(" ", "_")
        folder.mkdir(parents=True, exist_ok=True)
        clock = "" if situation.at is None else f"{situation.at:%H%M%S}"
        path = folder / f"{clock}_{request.task_name}_{number:04d}.question.md"
        new = path.with_suffix(".new")
        new.write_text(_question_text(request, situation), encoding="utf-8")
        new.rename(path)
        return path


def _read(path: Path) -> Json | str | None:
    """Return the answer; None, with a file of the error, where it is not YAML."""
    try:
        read = yaml.safe_load(path.read_text("utf-8"))
    except yaml.YAMLError as error:
        path.rename(path.with_suffix(".unreadable"))
        path.with_suffix(".error").write_text(str(error), encoding="utf-8")
        return None
    return read if isinstance(read, dict | str) else None


def _question_text(request: Request, situation: Situation) -> str:
    parts = [f"agent: {situation.agent}\ntask: {situation.task}\nat: {situation.at}\n"]
    parts.append(f"subject: {situation.subject}\n")
    parts += [f"\n## {one.role}\n{one.content}\n" for one in request.messages]
    schema = json.dumps(request.json_schema, ensure_ascii=False)
    return "".join([*parts, f"\n## schema\n{schema}\n"])
