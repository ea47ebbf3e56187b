"""A registered function in the place of a model: its answers are recorded as those of calls."""

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel

from apps.llm.model_spec import OFFLINE
from apps.llm.port import Completion, Request
from apps.llm.tokens import count_tokens


class FunctionModel:
    """Answers an LLM task by a function of its typed input."""

    server = OFFLINE
    remote = False

    def __init__(self, name: str, answer: Callable[[Any], BaseModel]) -> None:
        self.name = name
        self._answer = answer

    def complete(self, request: Request) -> Completion:
        """Return the answer of the function as JSON."""
        text = self._answer(request.inputs).model_dump_json()
        return Completion(
            text=text,
            prompt_tokens=sum(count_tokens(message.content) for message in request.messages),
            completion_tokens=count_tokens(text),
        )
