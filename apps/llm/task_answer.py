"""The base of the typed answers of LLM tasks."""

from pydantic import BaseModel, ConfigDict


class TaskAnswer(BaseModel):
    """An answer, or a part of one: frozen, and without unknown fields (L2)."""

    model_config = ConfigDict(extra="forbid", frozen=True)
