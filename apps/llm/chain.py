"""A chain: one question to the model, with a typed input and one typed answer."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import BaseModel

from apps.llm.port import Messages
from apps.llm.prompt_values import PromptValue
from apps.llm.wording import Wording

Given = TypeVar("Given")
Answer = TypeVar("Answer", bound=BaseModel)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain(Generic[Given, Answer]):
    """One question to the model (L2).

    - `name` says app and what it yields: "planning.day_outline";
    - `given` is a frozen dataclass of plain values, `answer` a frozen pydantic model that
      forbids what it does not know;
    - `fills` turns the given into the values that the wording asks for, each trusted or data;
    - `fallback` answers when the model never gave a valid answer; its name goes on record;
    - `check` raises ValueError for what a schema cannot say; the model is asked again with
      the message.
    """

    name: str
    wording: Wording
    given: type[Given]
    answer: type[Answer]
    fills: Callable[[Given], Mapping[str, PromptValue]]
    fallback: Callable[[Given], Answer]
    check: Callable[[Given, Answer], None] | None = None

    def __post_init__(self) -> None:
        """Insist on what every chain promises; a breach is our own mistake."""
        app, _, noun = self.name.partition(".")
        assert app.isidentifier(), f"the chain {self.name!r} must be named app.noun"
        assert noun.isidentifier(), f"the chain {self.name!r} must be named app.noun"
        settings = self.answer.model_config
        assert settings.get("extra") == "forbid", f"{self.name}: the answer must forbid extras"
        assert settings.get("frozen"), f"{self.name}: the answer must be frozen"

    def prompt(self, given: Given) -> Messages:
        """Return the prompt, filled. Pure, so that a test can read it."""
        return self.wording.fill(self.fills(given))
