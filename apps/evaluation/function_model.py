"""A registered function in the place of a model: its answers are recorded as those of calls."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pydantic import BaseModel

from apps.llm.model_spec import OFFLINE, RULE_MODEL, ModelSpec
from apps.llm.opening import Models
from apps.llm.port import Completion, Request
from apps.llm.tokens import count_tokens


class FunctionModel:
    """Answers an LLM task by a function of its typed input, and other tasks by a model.

    The other tasks are those of the context, such as the summary of an agent.
    """

    server = OFFLINE
    remote = False

    def __init__(
        self,
        name: str,
        task: str,
        answer: Callable[[Any], BaseModel],
        others: Callable[[Request], Completion],
    ) -> None:
        """Answer the task of that name by the function."""
        self.name, self._task, self._answer, self._others = name, task, answer, others

    def complete(self, request: Request) -> Completion:
        """Return the answer of the function as JSON."""
        if request.task_name != self._task:
            return self._others(request)
        text = self._answer(request.inputs).model_dump_json()
        return Completion(
            text=text,
            prompt_tokens=sum(count_tokens(message.content) for message in request.messages),
            completion_tokens=count_tokens(text),
        )


def without_server(model: ModelSpec) -> ModelSpec:
    """Return the models with the rule-based one in the place of the chat model."""
    own: dict[str, Any] = {"tasks": {}, "agents": {}}
    return model.model_copy(update={"server": OFFLINE, "chat_model": RULE_MODEL, **own})


def with_function(
    models: Models, name: str, task: str, answer: Callable[[Any], BaseModel]
) -> Models:
    """Return the models with a function that answers the task of that name."""
    return replace(models, chat=FunctionModel(name, task, answer, others=models.chat.complete))
