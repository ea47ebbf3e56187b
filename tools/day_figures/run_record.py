"""What the counts by day read of a simulation: its agents, rows, tracks and places."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from uuid import UUID

from apps import history
from apps.agents import queries as agent_queries
from apps.agents.models import AgentRow, SeenAgentRow
from apps.agents.track import Action, Track
from apps.dialogue.models import CommitmentRow, UtteranceRow
from apps.django_support.keyset import pages_of
from apps.evaluation.quality.days import Days
from apps.memory.models import MemoryRow, RetrievalRow, SelfSummaryRow
from apps.planning.models import PlanItemRow
from apps.reaction.models import WeighedRow
from apps.reflection.events import ReflectionKind
from apps.reflection.models import ReflectionRow
from apps.simulation import queries
from apps.world.folders import WorldFolders
from apps.world.loading import world_named
from apps.world.tree import WorldTree
from tools.day_figures.word_lists import stems_of

UTTERANCE, REACTION = "dialogue.utterance", "reaction.decision"
ROWS_PER_PAGE = 500
# The tasks whose prompts are read.
_READ = frozenset({UTTERANCE, REACTION})
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class SeededAgent:
    """An agent with its seed memories, in the order of its description."""

    slug: str
    name: str
    seeds: tuple[str, ...]
    home: str = ""

    @property
    def first_name(self) -> str:
        """The first word of the name."""
        return self.name.partition(" ")[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredCall:
    """A model call with its sizes in tokens; `text` is its prompt, "" where it is not read."""

    agent: str
    tick: int
    task: str
    prompt_tokens: int
    completion_tokens: int
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """The utterances of a conversation, in order."""

    id: str
    said: tuple[UtteranceRow, ...]

    @property
    def tick(self) -> int:
        """The tick of the first utterance."""
        return self.said[0].tick

    @property
    def speakers(self) -> frozenset[str]:
        """The agents that said something."""
        return frozenset(one.agent for one in self.said)

    @property
    def is_answered(self) -> bool:
        """Whether more than one agent said something."""
        return len(self.speakers) > 1


@dataclass(frozen=True, kw_only=True)
class RunRecord:
    """The records of the first days of a simulation, each kind in order of time.

    `area_at` gives the area in which an agent is at the end of a tick, "" outdoors or if it is
    not there. `seen` has the pairs (agent, other, tick) of the notices of another agent.
    `retrievals`, `commitments` and `summaries`, which only some figures need, are read when
    they are used.
    """

    days: Days
    agents: Mapping[str, SeededAgent]
    tree: WorldTree
    area_at: Callable[[str, int], str]
    actions: Mapping[str, Sequence[Action]]
    memories: Sequence[MemoryRow] = ()
    retrievals: Iterable[RetrievalRow] = ()
    utterances: Sequence[UtteranceRow] = ()
    commitments: Iterable[CommitmentRow] = ()
    summaries: Iterable[SelfSummaryRow] = ()
    plans: Sequence[PlanItemRow] = ()
    reflections: Sequence[ReflectionRow] = ()
    weighed: Sequence[WeighedRow] = ()
    calls: Sequence[MeasuredCall] = ()
    seen: Sequence[tuple[str, str, int]] = ()

    @property
    def names(self) -> list[str]:
        """The full names of all agents."""
        return [person.name for person in self.agents.values()]

    @cached_property
    def conversations(self) -> list[Conversation]:
        """The conversations in order of their first utterances."""
        said: dict[str, list[UtteranceRow]] = {}
        for one in sorted(self.utterances, key=lambda one: (one.tick, one.number, one.agent)):
            said.setdefault(one.conversation, []).append(one)
        return [Conversation(id=name, said=tuple(found)) for name, found in said.items()]


def ties_of(agents: Mapping[str, SeededAgent]) -> dict[tuple[str, str], tuple[str, ...]]:
    """Return the seed ties: for (agent, other) the seeds of the agent that name the other.

    The phrases are without the name of the agent at their beginning, which some sections of
    prompts replace by the first name.
    """
    found = {
        (agent, other): tuple(
            seed.removeprefix(f"{person.name} ")
            for seed in person.seeds
            if known.name in seed.removeprefix(f"{person.name} ")
        )
        for agent, person in agents.items()
        for other, known in agents.items()
        if agent != other
    }
    return {pair: phrases for pair, phrases in found.items() if phrases}


def heard_by(said: UtteranceRow) -> set[str]:
    """Return the agents to whom the utterance is said."""
    return {said.to, *said.participants} - {said.agent, ""}


def named_stems(run: RunRecord) -> Callable[[str], frozenset[str]]:
    """Return the function that gives the content stems of a text without names.

    Names are those of agents, with their parts, and those of places.
    """
    parts = {part for name in run.names for part in (name, *name.split())}
    places = {node.name for node in run.tree.places}
    left_out = tuple(parts | places)

    @cache
    def stems(text: str) -> frozenset[str]:
        return stems_of(text, without=left_out)

    return stems


def read_run(
    simulation_id: UUID, worlds: WorldFolders, days: int, *, as_of_tick: int | None = None
) -> RunRecord:
    """Return the records of the first days of a simulation, which are over.

    :param as_of_tick: the tracks end there; by default at the committed tick.
    """
    span = Days(queries.calendar_of(simulation_id), days)
    created = queries.get_creation(simulation_id)
    world = world_named(created.world, worlds)
    tracks = agent_queries.tracks(simulation_id, from_tick=0, to_tick=as_of_tick)
    of_row = {"simulation_id": simulation_id}
    before = {"tick__lt": span.ends}
    return RunRecord(
        days=span,
        agents={
            one.agent: _person(one)
            for one in AgentRow.objects.filter(**of_row, joined_tick__lt=span.ends)
        },
        tree=world.tree,
        area_at=_areas(tracks, world.map.area_at),
        actions={agent: track.actions for agent, track in tracks.items()},
        memories=list(
            MemoryRow.objects.filter(**of_row, formed_tick__lt=span.ends).order_by(
                "formed_tick", "agent", "number"
            )
        ),
        retrievals=RetrievalRow.objects.filter(**of_row, from_tick__lt=span.ends).order_by(
            "from_tick"
        ),
        utterances=list(UtteranceRow.objects.filter(**of_row, **before).order_by("tick")),
        commitments=CommitmentRow.objects.filter(**of_row, **before).order_by("tick"),
        summaries=SelfSummaryRow.objects.filter(**of_row, from_tick__lt=span.ends).order_by(
            "from_tick"
        ),
        plans=list(
            PlanItemRow.objects.filter(**of_row, valid_from_tick__lt=span.ends).order_by(
                "agent", "number"
            )
        ),
        reflections=list(
            ReflectionRow.objects.filter(
                **of_row, **before, kind=ReflectionKind.INSIGHTS.value
            ).order_by("tick")
        ),
        weighed=list(WeighedRow.objects.filter(**of_row, **before).order_by("tick")),
        calls=list(_calls(simulation_id, span.ends)),
        seen=list(
            SeenAgentRow.objects.filter(**of_row, from_tick__lt=span.ends).values_list(
                "agent", "subject", "from_tick"
            )
        ),
    )


def _person(row: AgentRow) -> SeededAgent:
    seeds = (_SPACE.sub(" ", seed).strip() for seed in row.description.split(";"))
    return SeededAgent(
        slug=row.agent, name=row.name, seeds=tuple(filter(None, seeds)), home=row.home
    )


def _areas(
    tracks: Mapping[str, Track], area_of: Callable[[tuple[int, int]], str]
) -> Callable[[str, int], str]:
    @cache
    def area_at(agent: str, tick: int) -> str:
        tile = tracks[agent].tile_at(tick) if agent in tracks else None
        return area_of(tile) if tile is not None else ""

    return area_at


def _calls(simulation_id: UUID, end: int) -> Iterator[MeasuredCall]:
    """Yield the calls of turns, which alone are part of the history."""
    rows = history.calls_of_history(simulation_id, until_tick=end - 1)
    for page in pages_of(rows, ROWS_PER_PAGE):
        history.fetch_messages(one for one in page if one.task in _READ)
        for one in page:
            parts = one.messages if one.task in _READ else ()
            yield MeasuredCall(
                agent=one.stream,
                tick=one.tick,
                task=one.task,
                prompt_tokens=one.prompt_tokens,
                completion_tokens=one.completion_tokens,
                text=_SPACE.sub(" ", " ".join(str(part["content"]) for part in parts)),
            )
