"""What a turn hands to the faculties so that they can think."""

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

from apps.llm.task import Answer, Inputs, LLMTask


class AgentLLM(Protocol):
    """The model as one agent has it at one tick: asks, remembers what was paid, embeds.

    Every call has the id "tick/stream/chain/n". One that was completed before is answered
    from the call log (L6). All asking and embedding may raise ModelUnavailable and
    ModelMisconfigured; an answer that stays invalid raises nothing, the chain's fallback
    stands in for it (L2).
    """

    @property
    def simulation_id(self) -> UUID:
        """The simulation that the agent lives in."""
        ...

    @property
    def tick(self) -> int:
        """The tick of the turn."""
        ...

    @property
    def stream(self) -> str:
        """The agent's slug."""
        ...

    @property
    def calls(self) -> tuple[str, ...]:
        """The ids of all calls so far, in order."""
        ...

    def take_calls(self) -> tuple[str, ...]:
        """Return the ids of the calls since this was last asked: an event's model_calls."""
        ...

    def ask(self, chain: LLMTask[Inputs, Answer], inputs: Inputs) -> Answer:
        """Return the chain's answer."""
        ...

    def ask_together(
        self, asked: Sequence[tuple[LLMTask[Inputs, Answer], Inputs]]
    ) -> list[Answer]:
        """Return the answers in order; a remote model is asked for all of them at once."""
        ...

    def embed(self, texts: Sequence[str]) -> None:
        """Make sure that the texts' vectors are kept when `save` is done."""
        ...

    def vector(self, text: str) -> list[float]:
        """Return the text's vector as it is kept."""
        ...

    def vectors(self, texts: Sequence[str]) -> dict[str, list[float]]:
        """Return the vectors by text."""
        ...

    def fits(self, texts: Sequence[str], tokens_max: int) -> int:
        """Return how many of the first texts fit the budget (M5)."""
        ...

    def save(self) -> None:
        """Write what was deferred; call it where the turn's events are appended."""
        ...
