"""A model that delays the calls of another one, so that answers arrive out of order."""

import threading

from apps.kernel.chance import unit
from apps.llm.port import ChatModel, Completion, Request

DELAY_SECONDS_MAX = 0.05


class DelayedModel:
    """Delays the calls of another model, so that answers arrive out of order.

    The delay is a function of seed and call. The gateway treats the model as remote.
    """

    remote = True

    def __init__(
        self, inner: ChatModel, *, seed: int, delay_seconds_max: float = DELAY_SECONDS_MAX
    ) -> None:
        self._inner = inner
        self._seed = seed
        self._delay_seconds_max = delay_seconds_max
        self.server = inner.server
        self.name = inner.name

    def complete(self, request: Request) -> Completion:
        """Return the other model's answer after the delay."""
        delay = unit(self._seed, "delay", request.call_id) * self._delay_seconds_max
        threading.Event().wait(delay)
        return self._inner.complete(request)
