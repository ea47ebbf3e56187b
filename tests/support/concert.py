"""A handwritten history of a concert, with the agents that know of it and the others (E4).

Eddy Lin plans it and tells Klaus, and Klaus tells Maria in other words. Ayesha declined to
come. Isabella has the same words of another concert, Giorgio only asked, and Sam made it up.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from apps import wiring
from apps.dialogue.events import Said
from apps.evaluation.news_searches.llm_tasks import (
    HoldingMemory,
    NewsExtent,
    NewsInput,
    NewsVerification,
)
from apps.eventlog.event import Event
from apps.eventlog.store import NewEvent
from apps.llm.embeddings import StoredVectors
from apps.llm.opening import open_embedding
from apps.memory.events import MemoryFormed, MemoryKind, MemoryOrigin
from apps.memory.models import MemoryRow
from apps.simulation import queries
from apps.simulation.models import SimulationRow
from tests.support.towns import found

NEWS = "Eddy Lin is playing a concert in Johnson Park on Saturday"
PLANS = "Eddy Lin is going to be playing a concert in Johnson Park on Saturday"
TOLD = "Eddy Lin told Klaus Mueller that he is playing a concert on Saturday in Johnson Park"
IN_OTHER_WORDS = "The Lins' son performs his own pieces outdoors at the weekend"
DECLINED = "Ayesha Khan declined to come to the concert that Eddy Lin is playing"
MADE_UP = "Sam Moore is looking forward to the concert that Eddy Lin is playing"
OTHER_NEWS = "Isabella Rodriguez was at a concert in Johnson Park on a Saturday with Eddy Lin"
QUESTION = "Giorgio Rossi asked John Lin: is Eddy Lin playing a concert in Johnson Park?"

KNOWING: Mapping[str, str] = {
    "eddy-lin": PLANS,
    "klaus-mueller": TOLD,
    "maria-lopez": IN_OTHER_WORDS,
    "ayesha-khan": DECLINED,
    "sam-moore": MADE_UP,
}
NOT_KNOWING: Mapping[str, str] = {
    "isabella-rodriguez": OTHER_NEWS,
    "giorgio-rossi": QUESTION,
    "tom-moreno": "",
}
PEOPLE = (
    "Eddy Lin", "Klaus Mueller", "Maria Lopez", "Ayesha Khan", "Sam Moore",
    "Isabella Rodriguez", "Giorgio Rossi", "Tom Moreno",
)  # fmt: skip
BRIDGE_NEWS = "The old bridge is closed to everybody"
FIRST_OF_BRIDGE = "Nobody can cross the river for now"
LAST_TICK = 80
_AFTER_THE_FIRST = range(44, 80)


def read_by_person(inputs: NewsInput, _chance: object) -> NewsVerification:
    """Return the answer of a human reader, which a language model should give, too."""
    of_concert, of_bridge = tuple(KNOWING.values()), (FIRST_OF_BRIDGE, BRIDGE_NEWS)
    truth = of_bridge if inputs.news == BRIDGE_NEWS else of_concert
    held = tuple(
        HoldingMemory(memory=place, extent=NewsExtent.WHOLE, reason="it tells the concert")
        for place, memory in enumerate(inputs.memories, start=1)
        if memory.description.startswith(truth)
    )
    return NewsVerification(knows=bool(held), held=held)


def concert_town() -> SimulationRow:
    """Return a simulation with the history."""
    row = found(agents=PEOPLE)
    history = _History(row)
    history.forms(5, "eddy-lin", PLANS, origin=MemoryOrigin.INNER_VOICE)
    told = history.says(10, "eddy-lin", "klaus-mueller", "Come and hear me in the park!")
    history.forms(12, "klaus-mueller", TOLD, cause=told)
    retold = history.says(20, "klaus-mueller", "maria-lopez", "Music outdoors, by the Lins!")
    history.forms(22, "maria-lopez", IN_OTHER_WORDS, cause=retold)
    asked = history.says(30, "eddy-lin", "ayesha-khan", "Will you come to my concert?")
    history.forms(31, "ayesha-khan", DECLINED, cause=asked, origin=MemoryOrigin.DECLINED)
    history.forms(40, "sam-moore", MADE_UP)
    history.forms(41, "isabella-rodriguez", OTHER_NEWS)
    history.forms(42, "giorgio-rossi", QUESTION)
    # Tom heard of the bridge in other words first, then in those of the news, many times.
    history.forms(43, "tom-moreno", FIRST_OF_BRIDGE)
    for tick in _AFTER_THE_FIRST:
        history.forms(tick, "tom-moreno", f"The old bridge is closed to everybody, word {tick}")
    return row


@dataclass
class _History:
    """Appends events to the log, with the vectors of the memories."""

    row: SimulationRow

    def forms(
        self,
        tick: int,
        agent: str,
        text: str,
        *,
        cause: str = "",
        origin: MemoryOrigin = MemoryOrigin.LEARNED,
    ) -> None:
        """Let an agent form a memory."""
        model = open_embedding(queries.model_of(self.row.pk))
        StoredVectors(model).ensure([text])
        memory = MemoryFormed(
            number=self._latest(agent) + 1,
            kind=MemoryKind.OBSERVATION,
            description=text,
            importance=5,
            embedded_by=model.name,
            dimensions=model.dimensions,
            origin=origin,
        )
        self._append(tick, agent, memory, cause=cause)

    def says(self, tick: int, agent: str, to: str, text: str) -> str:
        """Let an agent say something with its latest memory in mind; return the event's id."""
        said = Said(
            conversation=f"{tick}/{agent}",
            to=to,
            number=1,
            text=text,
            ends=False,
            memories=(self._latest(agent),),
        )
        return self._append(tick, agent, said)

    def _append(self, tick: int, agent: str, event: Event, *, cause: str = "") -> str:
        [recorded] = wiring.event_store().append(
            simulation_id=self.row.pk,
            tick=tick,
            stream=agent,
            events=[NewEvent(event=event, cause=cause)],
        )
        return str(recorded.place)

    def _latest(self, agent: str) -> int:
        rows = MemoryRow.objects.filter(simulation_id=self.row.pk, agent=agent)
        latest: int = rows.order_by("-number").values_list("number", flat=True)[0]
        return latest
