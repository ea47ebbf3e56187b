"""What a plug-in imports: decorators that register functions, and the values that these take.

`docs/how_to/write_a_plug_in.md` shows a package with a measure and an exporter.
"""

from apps.archives.exports import EXPORTERS, ExportedFile
from apps.evaluation.news_searches.llm_tasks import (
    HoldingMemory,
    NewsExtent,
    NewsInput,
    NewsVerification,
)
from apps.evaluation.news_searches.verification import VERIFIERS
from apps.evaluation.plots.plot_catalogue import PLOTS, PlotRequest
from apps.evaluation.plots.svg_figure import FigureDrawing
from apps.evaluation.quality.days import DAY_FIGURES, Days, Series
from apps.evaluation.rankings.judging import JUDGES
from apps.evaluation.rankings.llm_tasks import RankingInput
from apps.experiments.measure_registry import MEASURES, RunAtTick, Value
from apps.simulation.models import SimulationRow
from apps.world.folders import WorldFolders

measure = MEASURES.register
exporter = EXPORTERS.register
plot = PLOTS.register
judge = JUDGES.register
verifier = VERIFIERS.register
day_figures = DAY_FIGURES.register

__all__ = [
    "Days",
    "ExportedFile",
    "FigureDrawing",
    "HoldingMemory",
    "NewsExtent",
    "NewsInput",
    "NewsVerification",
    "PlotRequest",
    "RankingInput",
    "RunAtTick",
    "Series",
    "SimulationRow",
    "Value",
    "WorldFolders",
    "day_figures",
    "exporter",
    "judge",
    "measure",
    "plot",
    "verifier",
]
