"""The parts of a report, written as Markdown and as HTML: headings, texts, tables, figures."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from apps.kernel.text import in_markdown

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem;
  padding: 0 1rem; color: #23262b; background: #fff; }
table { border-collapse: collapse; margin: 1rem 0; display: block; overflow-x: auto; }
th, td { border: 1px solid #bbb; padding: .25rem .6rem; text-align: left; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
figure { margin: 1.5rem 0; } figure svg { max-width: 100%; height: auto; }
@media (prefers-color-scheme: dark) { body { color: #e6e6e6; background: #17191c; }
  th, td { border-color: #555; } }
"""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of level 1, 2 or 3."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A text without markup."""

    text: str


@dataclass(frozen=True, slots=True)
class TableOfTexts:
    """A table of texts; columns of numbers are aligned to the right."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    number_columns: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class FigureOfReport:
    """A figure as SVG, with the name of its file and its words for readers."""

    name: str
    caption: str
    svg: bytes


Block = Heading | Paragraph | TableOfTexts | FigureOfReport


def as_markdown(blocks: Iterable[Block], *, folder: str = ".") -> str:
    """Return the report as Markdown; figures are files in a folder beside it."""
    return "\n\n".join(_markdown(block, folder) for block in blocks) + "\n"


def html_of(blocks: Iterable[Block]) -> str:
    """Return the report as HTML for a part of a page; all texts are escaped."""
    return "\n".join(_html(block) for block in blocks)


def as_html(blocks: Iterable[Block], *, title: str) -> str:
    """Return the report as one HTML document, which contains its figures."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n"
        f"{html_of(blocks)}\n</main>\n</body>\n</html>\n"
    )


def _markdown(block: Block, folder: str) -> str:
    match block:
        case Heading():
            return f"{'#' * block.level} {in_markdown(block.text)}"
        case Paragraph():
            return in_markdown(block.text)
        case FigureOfReport():
            return f"![{in_markdown(block.caption)}]({folder}/{block.name}.svg)"
        case TableOfTexts():
            places = range(len(block.head))
            rule = ["--:" if place in block.number_columns else "---" for place in places]
            return "\n".join(map(_row, (block.head, rule, *block.rows)))


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(map(in_markdown, cells)) + " |"


def _html(block: Block) -> str:
    match block:
        case Heading():
            return f"<h{block.level}>{escape(block.text)}</h{block.level}>"
        case Paragraph():
            return f"<p>{escape(block.text)}</p>"
        case FigureOfReport():
            _, _, svg = block.svg.decode().partition("<svg ")
            caption = f"<figcaption>{escape(block.caption)}</figcaption>"
            return f"<figure><svg {svg}{caption}</figure>"
        case TableOfTexts():
            head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in block.head)
            rows = "\n".join(_html_row(row, block.number_columns) for row in block.rows)
            return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody></table>"


def _html_row(cells: Sequence[str], number_columns: frozenset[int]) -> str:
    written = (
        f'<td class="number">{escape(cell)}</td>'
        if place in number_columns
        else f"<td>{escape(cell)}</td>"
        for place, cell in enumerate(cells)
    )
    return f"<tr>{''.join(written)}</tr>"
