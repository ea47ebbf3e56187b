"""The social measures of a history as of a tick, counted without a model (E4)."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import mean
from uuid import UUID

from apps import history
from apps.evaluation.quality.counts import RepetitionCount
from apps.evaluation.quality.repetition import nameless, repeated
from apps.evaluation.social.network import Network, network_of
from apps.history import ActionKind, ActKind

SHORT_MINUTES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanKeeping:
    """The planned actions whose time is over, and those that were begun, or hardly begun.

    An action that is still done is begun. Acts with other agents and sleep are left out, and so
    is what a revision took away. `short` are actions of less than SHORT_MINUTES minutes.
    """

    planned: int
    begun: int
    short: int

    @property
    def begun_share(self) -> float | None:
        """The share of the begun actions, 0 to 1; None without planned ones."""
        return self.begun / self.planned if self.planned else None


def plan_keeping(simulation_id: UUID, *, as_of_tick: int) -> PlanKeeping:
    """Return how the plans up to the end of the tick were kept."""
    done: Counter[tuple[str, int]] = Counter()
    tracks = history.tracks(simulation_id, from_tick=0, to_tick=as_of_tick)
    for agent, track in tracks.items():
        # Nothing has ended the last action yet; it is done at the end of the tick.
        ended = [*(action.from_tick for action in track.actions[1:]), as_of_tick + 1]
        for action, end in zip(track.actions, ended, strict=True):
            if action.kind is ActionKind.PLANNED:
                done[agent, action.plan_item] += end - action.from_tick
    planned = begun = short = 0
    short_ticks = history.calendar_of(simulation_id).ticks_of(minutes=SHORT_MINUTES)
    plans = history.planned_items(simulation_id, levels=["action"], as_of_tick=as_of_tick)
    for agent, items in plans.items():
        for item in items:
            if item.asleep or item.act is not ActKind.NONE or item.to_tick > as_of_tick:
                continue
            spent = done[agent, item.number]
            planned += 1
            begun += spent > 0
            short += 0 < spent < short_ticks
    return PlanKeeping(planned=planned, begun=begun, short=short)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationFigures:
    """How much is said; a conversation counts if at least two agents speak in it.

    `openings` are utterances that nobody answered. A repeated utterance is one in the words of
    an earlier one but for names.
    """

    conversations: int
    openings: int
    pairs: int
    utterances: RepetitionCount
    utterances_per_conversation: float | None
    words_per_utterance: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SocialMeasures:
    """The social measures as of the end of a tick; `commitments` are counts by outcome."""

    as_of_tick: int
    agents: int
    networks: tuple[Network, ...]
    conversations: ConversationFigures
    commitments: Mapping[str, int]
    plans: PlanKeeping


def social_measures(simulation_id: UUID, *, as_of_tick: int) -> SocialMeasures:
    """Return the social measures of the agents that are present at the tick."""
    rows = history.list_agents(simulation_id, as_of_tick=as_of_tick)
    names = {row.agent: row.name for row in rows}
    kinds = history.acquaintances(simulation_id, names, as_of_tick=as_of_tick)
    return SocialMeasures(
        as_of_tick=as_of_tick,
        agents=len(names),
        networks=tuple(network_of(kind, names, pairs) for kind, pairs in kinds.items()),
        conversations=conversation_figures(simulation_id, names, as_of_tick=as_of_tick),
        commitments=history.commitment_counts(simulation_id, as_of_tick=as_of_tick),
        plans=plan_keeping(simulation_id, as_of_tick=as_of_tick),
    )


def conversation_figures(
    simulation_id: UUID, names: Mapping[str, str], *, as_of_tick: int
) -> ConversationFigures:
    """Return the figures of the conversations up to the end of the tick."""
    said = history.list_utterances(simulation_id, as_of_tick=as_of_tick)
    speakers: dict[str, set[str]] = {}
    count: Counter[str] = Counter()
    texts: dict[str, list[str]] = {}
    for talk, agent, text in said.order_by("tick", "agent").values_list(
        "conversation", "agent", "text"
    ):
        speakers.setdefault(talk, set()).add(agent)
        texts.setdefault(talk, []).append(text)
        count[talk] += 1
    answered = [talk for talk, agents in speakers.items() if len(agents) > 1]
    spoken = [text for talk in answered for text in texts[talk]]
    pairs = {
        frozenset((one, other))
        for talk in answered
        for one in speakers[talk]
        for other in speakers[talk] - {one}
    }
    return ConversationFigures(
        conversations=len(answered),
        openings=len(speakers) - len(answered),
        pairs=len(pairs),
        utterances=RepetitionCount(
            count=len(spoken), repeated=repeated(nameless(spoken, [*names.values()]))
        ),
        utterances_per_conversation=mean(count[talk] for talk in answered)
        if answered
        else None,
        words_per_utterance=mean(len(text.split()) for text in spoken) if spoken else None,
    )
