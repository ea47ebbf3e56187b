"""A model that answers from what another run recorded, and never thinks (V5)."""

from collections.abc import Callable
from typing import ClassVar

from apps.kernel.errors import DomainError
from apps.llm.port import Completion, Request

RECORDED = "recorded"


class NotRecorded(DomainError):
    """The recording has no answer to a call; replay it with the settings of its own run."""

    code: ClassVar[str] = "not-recorded"


class RecordedModel:
    """Answers each call with what the recording has under the same call id.

    `answer_of` returns the recorded answer as JSON, or None.
    """

    server = RECORDED
    remote = False

    def __init__(self, answer_of: Callable[[str], str | None], *, name: str = RECORDED) -> None:
        """Keep the recording."""
        self._answer_of = answer_of
        self.name = name

    def complete(self, request: Request) -> Completion:
        """Return the recorded answer; it costs nothing.

        :raises NotRecorded: if there is none.
        """
        text = self._answer_of(request.call_id)
        if text is None:
            raise NotRecorded(
                f"the recording {self.name!r} has no answer to {request.call_id}: the replay "
                "has left the path of its run; replay with the same world, seed and settings"
            )
        return Completion(text=text, prompt_tokens=0, completion_tokens=0, cached=True)
