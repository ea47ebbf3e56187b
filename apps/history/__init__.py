"""The read API over a history: frozen values as of the end of a tick.

Research, exports, plots and the admin pages read simulations by these names alone
(`pyproject.toml`): agents with their tracks and plans, memories, conversations, relationships,
events and model calls. Functions take the id of a simulation and `as_of_tick`, and change
nothing. Lists that are paged are query sets.
"""

from apps.agents.acts import ActKind
from apps.agents.events import ActionKind, Tile
from apps.agents.naming import AgentUnknown
from apps.agents.queries import (
    actions_at,
    count_known_places,
    fixed_facts,
    get_agent,
    identity_of,
    list_agents,
    name_of_agent,
    names_of_agents,
    slugs_in_simulation,
    tracks,
)
from apps.agents.summary import Identity
from apps.agents.track import Action, Track
from apps.dialogue.queries import utterances_of
from apps.dialogue.utterances import Spoken
from apps.eventlog.event import COMMANDS_STREAM, SIMULATION_STREAM, Event, EventId, Recorded
from apps.eventlog.queries import (
    EventDifference,
    chains_of_causes,
    event_id_of_row,
    first_differences,
)
from apps.eventlog.store import events_of, log_sha256, pages_of_log
from apps.history.agent_days import (
    PlanBranch,
    PlanVersion,
    hour_counts,
    plan_of_day,
    plan_versions,
    planned_items,
)
from apps.history.conversations import (
    Contacts,
    acquaintances,
    agreements_between,
    commitment_counts,
    contacts_since,
    count_conversations,
    list_conversations,
    list_utterances,
    members_of,
    participants_of,
)
from apps.history.day_record import DayRecord, is_in, read_day_record
from apps.history.visible_state import (
    name_place,
    objects_not_idle,
    open_conversations,
    steps_after,
)
from apps.llm.calls.prompt_storage import fetch_messages
from apps.llm.calls.queries import (
    AnswerOutcomes,
    CallFilters,
    CostGroup,
    answer_outcomes,
    calls_of_history,
    costs,
    embedding_calls_of_history,
    error_of_fallback,
    model_call_rows,
    reused_calls,
    same_requests,
    spent_by_simulation,
)
from apps.llm.usage import Usage, UsageLine
from apps.memory.earlier_memories import density
from apps.memory.events import FactKind, FactSource, MemoryKind, MemoryOrigin
from apps.memory.queries import (
    MemoryOrder,
    current_facts,
    list_all_memories,
    list_memories,
    related_pairs,
)
from apps.planning.rules import Level, PlanItem
from apps.reflection.events import ReflectionKind
from apps.reflection.queries import list_reflections
from apps.simulation.models import SimulationRow, Status
from apps.simulation.ports import Constants, constants_of
from apps.simulation.queries import calendar_of, get_creation, get_simulation, model_of
from apps.simulation.snapshot.world_snapshot import WorldSnapshot, read_world_snapshot
from apps.world.folders import WorldFolders
from apps.world.norms import hours_of, keepers_of, may_enter
from apps.world.world import World, seed_phrases
