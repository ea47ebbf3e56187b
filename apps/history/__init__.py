"""The read API over a history: frozen values as of the end of a tick.

Research, exports and plots read simulations by these names alone (`pyproject.toml`). Functions
take the id of a simulation and `as_of_tick`, and change nothing; lists that are paged are query
sets. A type that only annotates a result is imported from the module that defines it. The
enumerations of fields of events are in `apps.*.events`, which are the format of the log.

- *Simulation:* `get_simulation`, `calendar_of`, `model_of`, `constants_of` with the world.
- *Agents:* `list_agents`, `get_agent`, `names_of_agents`, `tracks` with tiles and actions,
  `count_known_places`, and what can be seen of all at a tick, `read_visible_state`.
- *Days and plans:* `read_day` of one agent; `read_day_record` of all, tick by tick;
  `planned_items`, `plan_versions` with those that were replaced, `hour_counts`.
- *Memories:* `list_all_memories`, `list_reflections`, `summary_versions`, `fact_versions`, and
  the relationships among them, `related_pairs`.
- *Conversations:* `list_conversations`, `list_utterances`, `members_of`,
  `count_conversations`, `list_commitments`; `acquaintances` and their `density`.
- *Events:* `events_of`, `pages_of_log`, `log_sha256`, `first_differences` of two histories.
- *Calls of models:* `calls_of_history`, `fetch_messages`, `answer_outcomes`, `costs`,
  `spent_by_simulation`, `reused_calls`, `same_requests`.
"""

from apps.agents.acts import ActKind
from apps.agents.naming import AgentUnknown
from apps.agents.queries import (
    count_known_places,
    get_agent,
    list_agents,
    names_of_agents,
    tracks,
)
from apps.agents.track import Action, Track
from apps.eventlog.event import STREAMS_OF_USERS, Event, EventId, Recorded
from apps.eventlog.queries import EventDifference, first_differences
from apps.eventlog.store import events_of, log_sha256, pages_of_log
from apps.history.agent_days import (
    PlanVersion,
    hour_counts,
    plan_versions,
    planned_items,
    read_day,
)
from apps.history.conversations import (
    acquaintances,
    count_conversations,
    list_commitments,
    list_conversations,
    list_utterances,
    members_of,
)
from apps.history.day_record import DayRecord, is_in, read_day_record
from apps.history.visible_state import read_visible_state
from apps.llm.calls.prompt_storage import fetch_messages
from apps.llm.calls.queries import (
    AnswerOutcomes,
    answer_outcomes,
    calls_of_history,
    costs,
    embedding_calls_of_history,
    reused_calls,
    same_requests,
    spent_by_simulation,
)
from apps.llm.usage import Usage, UsageLine
from apps.memory.earlier_memories import density
from apps.memory.queries import (
    fact_versions,
    list_all_memories,
    related_pairs,
    summary_versions,
)
from apps.planning.rules import PlanItem
from apps.reflection.queries import list_reflections
from apps.simulation.models import SimulationRow
from apps.simulation.ports import Constants, constants_of
from apps.simulation.queries import calendar_of, get_simulation, model_of
from apps.world.folders import WorldFolders
from apps.world.world import World
