"""An LLM task: a prompt with typed inputs and one typed answer."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import BaseModel

from apps.llm.answers.answer_options import NO_OPTIONS, Options
from apps.llm.answers.decisions import Decision, Fact
from apps.llm.answers.differences import Adjusted
from apps.llm.answers.json_schema import Bounds, Variant
from apps.llm.port import Messages
from apps.llm.prompts.sets import ENGLISH, PromptSet, TaskTemplates
from apps.llm.prompts.values import PromptValue

Inputs = TypeVar("Inputs")
Answer = TypeVar("Answer", bound=BaseModel)


@dataclass(frozen=True, slots=True, kw_only=True)
class LLMTask(Generic[Inputs, Answer]):
    """A prompt with typed inputs and one typed answer (L2).

    - `name` is the app and the result: "planning.day_outline";
    - `template` returns the prompt template of a set (`prompt_sets`);
    - `input_type` is a frozen dataclass of plain values, `answer_type` a frozen pydantic model
      that forbids unknown fields;
    - `variables` returns the variables of the templates for inputs, each trusted or data; a
      template of a short set may leave some out;
    - `fallback` returns the answer that replaces an invalid one; its name is recorded;
    - `check` raises ValueError for what a schema cannot express; the model gets the message;
    - `options` returns the keys of each option set that the answer type names (`OneOf`);
    - `lengths` and `numbers` return the bounds of lists and of whole numbers of the answer, by
      field: those of the schema of the call, to which a server may hold the answer;
    - `variants` returns which fields an answer has by the value of its first one; a field that
      a variant does not have keeps its default;
    - `decision` returns the facts of an answer that lead to events or are counted, without its
      words, by which two answers are compared; None for a task whose answer is text alone;
    - `adjust` returns a valid answer as it can be done, with the differences. It is the only
      place where an answer is changed; what it returns is the answer of the call.
    """

    name: str
    template: TaskTemplates
    input_type: type[Inputs]
    answer_type: type[Answer]
    variables: Callable[[Inputs], Mapping[str, PromptValue]]
    fallback: Callable[[Inputs], Answer]
    decision: Callable[[Answer], Iterable[Fact]] | None
    check: Callable[[Inputs, Answer], None] | None = None
    options: Callable[[Inputs], Options] | None = None
    lengths: Callable[[Inputs], Bounds] | None = None
    numbers: Callable[[Inputs], Bounds] | None = None
    variants: Callable[[Inputs], Sequence[Variant]] | None = None
    adjust: Callable[[Inputs, Answer], Adjusted[Answer]] | None = None

    def __post_init__(self) -> None:
        """Check the rules for LLM tasks; a violation is a programming error."""
        app, _, noun = self.name.partition(".")
        assert app.isidentifier(), f"the LLM task {self.name!r} must be named app.noun"
        assert noun.isidentifier(), f"the LLM task {self.name!r} must be named app.noun"
        settings = self.answer_type.model_config
        assert settings.get("extra") == "forbid", f"{self.name}: the answer must forbid extras"
        assert settings.get("frozen"), f"{self.name}: the answer must be frozen"

    def offered(self, inputs: Inputs) -> Options:
        """Return the keys of all option sets for the inputs."""
        return NO_OPTIONS if self.options is None else self.options(inputs)

    def decided(self, answer: Answer) -> Decision | None:
        """Return the decision in an answer; None if the task has none."""
        return None if self.decision is None else frozenset(self.decision(answer))

    def prompt(self, inputs: Inputs, prompt_set: PromptSet = ENGLISH) -> Messages:
        """Return the filled prompt."""
        template, values = self.template(prompt_set), self.variables(inputs)
        used = template.placeholders & values.keys()
        return template.fill({name: values[name] for name in used})
