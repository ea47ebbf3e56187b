"""The base of the typed answers of LLM tasks, and the error of an invalid one."""

from pydantic import BaseModel, ConfigDict


class TaskAnswer(BaseModel):
    """An answer, or a part of one: frozen, and without unknown fields (L2)."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class InvalidAnswer(ValueError):
    """The text has no valid answer; the message is meant for the model."""
