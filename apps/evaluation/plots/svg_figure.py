"""Draws figures as SVG with matplotlib, an optional package: requirements-evaluation.txt.

Only the objects of matplotlib are used, never pyplot, which keeps its figures in one list for
all threads. The same data give the same bytes: a figure has no date, and a fixed salt for its
ids.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from io import BytesIO
from threading import Lock
from types import MappingProxyType
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from apps.kernel.errors import DomainError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PAPER, INK, QUIET, LINE = "#ffffff", "#23262b", "#5c6068", "#dcd6c8"
"""The own background of a figure, so that it is legible on light and on dark pages."""
SERIES = (
    "#17636b", "#b2440f", "#6a4aa0", "#8a5a00", "#3d6a2c", "#a0285e", "#2f6fb0", "#5c6068",
)  # fmt: skip
"""Colours of series, each with a contrast of at least 4.5 to 1 with the paper."""
FIGURES_DRAWN = Lock()
"""Held while a figure is drawn: the caches of matplotlib are shared by all threads."""
_SETTINGS: Mapping[Any, Any] = MappingProxyType(
    {
        "svg.fonttype": "none",  # text stays text, for screen readers and for searches
        "svg.hashsalt": "smallville",
        "text.parse_math": False,  # a name may have a dollar sign
        "font.family": ["DejaVu Sans", "sans-serif"],
        "font.size": 9,
        "text.color": INK,
        "axes.edgecolor": LINE,
        "axes.labelcolor": QUIET,
        "axes.titlesize": 11,
        "axes.titleweight": "bold",
        "axes.titlelocation": "left",
        "axes.spines.top": False,
        "axes.spines.right": False,
        "xtick.color": QUIET,
        "ytick.color": INK,
        "legend.frameon": False,
    }
)
_NO_METADATA = dict.fromkeys(("Creator", "Date", "Format", "Type"))


class PlotsUnavailable(DomainError):
    """Plots need the package matplotlib; install requirements-evaluation.txt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureDrawing:
    """A figure that is to be drawn: its size in inches, and its words for screen readers.

    `draw` gets an empty figure. `title` names what is shown, `description` says what is seen.
    """

    title: str
    description: str
    width: float
    height: float
    draw: Callable[["Figure"], None]


def ensure_plots_available() -> None:
    """Check that the optional package is installed.

    :raises PlotsUnavailable: if it is not.
    """
    if find_spec("matplotlib") is None:
        raise PlotsUnavailable


def render_svg(drawing: FigureDrawing) -> bytes:
    """Return the figure as an SVG document, the same for the same drawing.

    :raises PlotsUnavailable: if the package matplotlib is not installed.
    """
    ensure_plots_available()
    written = BytesIO()
    with FIGURES_DRAWN:
        _apply_settings()
        from matplotlib.figure import Figure  # noqa: PLC0415 (optional)

        figure = Figure(
            figsize=(drawing.width, drawing.height), facecolor=PAPER, layout="constrained"
        )
        drawing.draw(figure)
        figure.savefig(written, format="svg", metadata=dict(_NO_METADATA))
    head, tag, rest = written.getvalue().partition(b"<svg ")
    attributes, end, content = rest.partition(b">")
    title, description = escape(drawing.title), escape(drawing.description)
    words = f"\n <title>{title}</title>\n <desc>{description}</desc>"
    return b"".join((head, tag, b'role="img" ', attributes, end, words.encode(), content))


def add_key(axes: "Axes", colours: Iterable[tuple[str, str]]) -> None:
    """Add a key of labels and their colours below the axes."""
    from matplotlib.patches import Patch  # noqa: PLC0415 (optional)

    patches = [Patch(color=colour, label=label) for label, colour in colours]
    axes.figure.legend(handles=patches, loc="outside lower left", ncols=len(patches))


@lru_cache(maxsize=1)
def _apply_settings() -> None:
    """Set the style of all figures of this process, once."""
    from matplotlib import rcParams  # noqa: PLC0415 (optional)

    rcParams.update(_SETTINGS)
