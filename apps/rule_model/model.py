"""The rule-based model: answers LLM tasks by rules, without a language model (L4).

It answers every task from the task's typed input and seeded chance, and from nothing else:
no database, no globals, no clock. What is not in the input cannot be in the answer.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic_core import to_json

from apps.kernel import chance
from apps.kernel.errors import SmallvilleError
from apps.llm.answers.json_schema import as_asked
from apps.llm.model_spec import OFFLINE, RULE_MODEL
from apps.llm.port import Completion, Request
from apps.llm.tokens import count_tokens

_Option = TypeVar("_Option")


class UnansweredTask(SmallvilleError):
    """The rule-based model has no rule for an LLM task."""


@dataclass(frozen=True, slots=True)
class Chance:
    """Chance that belongs to one call: the same question gets the same answer anywhere."""

    seed: int
    task: str
    call_id: str

    def draw(self, *what: str | int) -> int:
        """Return a number of 64 bits."""
        return chance.draw(self.seed, self.task, self.call_id, *what)

    def unit(self, *what: str | int) -> float:
        """Return a number in [0, 1)."""
        return chance.unit(self.seed, self.task, self.call_id, *what)

    def choice(self, options: Sequence[_Option], *what: str | int) -> _Option:
        """Return one of the options.

        :raises IndexError: if there is nothing to choose from.
        """
        return chance.choice(options, self.seed, self.task, self.call_id, *what)

    def between(self, low: int, high: int, *what: str | int) -> int:
        """Return a whole number from low to high, both possible."""
        return low + self.draw(*what) % (high - low + 1)


# A rule takes the input of its task, a type that only the task knows, and returns its answer.
TaskRule = Callable[[Any, Chance], Any]
TaskRules = Mapping[str, TaskRule]


class RuleModel:
    """Answers each LLM task with its rule."""

    server = OFFLINE
    name = RULE_MODEL
    remote = False

    def __init__(self, rules: TaskRules, *, seed: int) -> None:
        self._rules = rules
        self._seed = seed

    def complete(self, request: Request) -> Completion:
        """Return the answer of the task's rule as JSON.

        :raises UnansweredTask: if there is no rule for the task.
        """
        rule = self._rules.get(request.task_name)
        if rule is None:
            raise UnansweredTask(
                f"the rule-based model has no rule for {request.task_name}; add one to "
                f"apps/rule_model/tasks.py (there are: {', '.join(sorted(self._rules))})"
            )
        chance_of_call = Chance(self._seed, request.task_name, request.call_id)
        answer = rule(request.inputs, chance_of_call).model_dump(mode="json")
        text = to_json(as_asked(request.json_schema, answer)).decode()
        return Completion(
            text=text,
            prompt_tokens=sum(count_tokens(message.content) for message in request.messages),
            completion_tokens=count_tokens(text),
        )
