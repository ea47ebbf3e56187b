"""The figures of a run by day that hold as of any moment.

Left out are those that later ticks change, such as importance, which is rated when it is read,
and promises, which may be kept on the next day. `benchmarks.believability` has all.
"""

from collections.abc import Callable, Sequence
from uuid import UUID

from apps.evaluation.quality.days import DAY_FIGURES, Days, Series
from apps.kernel.language import ENGLISH
from apps.simulation import queries
from apps.world.folders import WorldFolders
from apps.world.loading import world_named
from tools.day_figures.identity_figures import (
    greeting_figures,
    likeness_figures,
    outlines_of,
    pursuit_figures,
    tie_figures,
)
from tools.day_figures.memory_figures import lived_memories, stream_figures
from tools.day_figures.network_figures import network_figures
from tools.day_figures.run_record import (
    RunRecord,
    read_run,
    ties_of,
)
from tools.day_figures.talk_figures import (
    leaving_figures,
    number_figures,
    repetition_figures,
)
from tools.day_figures.thought_figures import insight_figures, often_figures


@DAY_FIGURES.register(
    "believability",
    description="Conversations, repetitions, ties in prompts, pursuits, memories, networks.",
)
def believability_figures(
    simulation_id: UUID, worlds: WorldFolders, days: Days, as_of_tick: int
) -> Series:
    """Return the figures of the days; those that read English words in such worlds only."""
    created = queries.get_creation(simulation_id)
    is_english = world_named(created.world, worlds).language == ENGLISH
    run = read_run(simulation_id, worlds, days.count, as_of_tick=as_of_tick)
    counts = [*_OF_ALL_LANGUAGES, *(_OF_ENGLISH if is_english else ())]
    return {name: values for count in counts for name, values in count(run).items()}


def _repetitions(run: RunRecord) -> Series:
    return repetition_figures(run, [t for t in run.conversations if t.is_answered])


def _leaving(run: RunRecord) -> Series:
    return leaving_figures(run, [t for t in run.conversations if t.is_answered])


_OF_ALL_LANGUAGES: Sequence[Callable[[RunRecord], Series]] = (
    lambda run: number_figures(run, run.conversations),
    _repetitions,
    lambda run: tie_figures(run, ties_of(run.agents)),
    lambda run: likeness_figures(outlines_of(run), run.days),
    lambda run: stream_figures(run.days, lived_memories(run), len(run.agents)),
    insight_figures,
    network_figures,
)
# They read English words.
_OF_ENGLISH: Sequence[Callable[[RunRecord], Series]] = (
    _leaving,
    lambda run: greeting_figures(run, ties_of(run.agents)),
    pursuit_figures,
    often_figures,
)
