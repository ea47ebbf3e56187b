"""A town with a conversation, whose exports tests read."""

from typing import Any

from pydantic import BaseModel

from apps.simulation.models import SimulationRow
from tests.support.towns import answering, found, live

SPEAKERS = ("Isabella Rodriguez", "Sam Moore")
AFTER_THEIR_TALK = "2023-02-13T10:30"


class Nonsense(BaseModel):
    """An answer that is not valid."""

    importances: list[str] = ["very"]


def town_with_a_talk() -> SimulationRow:
    """Give a morning in which Sam tells Isabella his news.

    No answer about the importance of memories is valid, so that there are fallbacks.
    """

    def nonsense(*_inputs: Any) -> Nonsense:
        return Nonsense()

    ports = answering({"memory.importance": nonsense})
    row = found(agents=SPEAKERS, ports=ports)
    return live(row, AFTER_THEIR_TALK, ports=ports)
