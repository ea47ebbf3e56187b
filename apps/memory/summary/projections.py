"""The projection of summary descriptions."""

from apps.eventlog.event import Recorded
from apps.eventlog.projection import Projection, agent_rows, insert
from apps.memory.summary.events import SelfSummarised
from apps.memory.summary.models import SelfSummaryRow


def _summarised(_event: SelfSummarised, recorded: Recorded) -> None:
    own = agent_rows(SelfSummaryRow, recorded, to_tick=None)
    # Of two renewals in one turn only the later one is valid at the end of the tick.
    own.filter(from_tick=recorded.tick).delete()
    own.update(to_tick=recorded.tick)
    insert(SelfSummaryRow, recorded)


SELF_SUMMARIES = Projection(
    models=(SelfSummaryRow,),
    handlers={SelfSummarised: _summarised},
)
