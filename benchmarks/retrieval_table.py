"""The document on the quality of retrieval, from stored results; pure, without Django."""

import json
from collections.abc import Sequence
from typing import Any

from benchmarks.cost_table import FOLDER

RESULTS, TABLE = FOLDER / "retrieval_quality", FOLDER / "retrieval_quality.md"
KINDS = ("relationship", "event", "fact", "news", "all")
HALVES = ("design", "held out")

Result = dict[str, Any]

# Variants as tests/support/retrieval_measure.py names them: the one that compares embeddings,
# and what the default has besides.
DEFAULT = "purposes, share 1, rare first"
NOT_DISTANT = "these, no distant statements"
FOCUS_FIRST = "these, focus first"

_HEAD = """# Quality of retrieval

Written by `python -m benchmarks.retrieval_quality` from the results in `retrieval_quality/`.
The 98 questions are about the frozen memory streams of eight agents after two days of
Smallville (25 agents, seed 2024, the rule-based model), and were judged by hand
(`tests/fixtures/retrieval/README.md`). Each is retrieved as a prompt of its purpose would:
without routine and repetitions, within its tokens.

- *P5* is the share of the first five memories that answer or help. All but two questions have
  at least five such memories; the last row is the best possible mean. On questions that were
  not chosen so, [it is lower](figures_by_omission.md).
- *of the best* is P5 as a share of the best possible P5.
- *answered* is the share of questions with an answer among the first five.
- *R15* is the share of the memories that answer or help among the first fifteen.
- *CPU* is that of a query in this process and in the database, without the embedding of the
  query, on a machine in use: compare orders of magnitude. No variant makes a call of a language
  model. Each query is one text to embed.

`paper` has the weights of the paper for all retrievals and nothing else. `questions`, the
default until ADR 61, weighs relevance four times as much where one thing is asked for; the
variants below it change one more thing each, unless they name another emphasis. `purposes`
weighs relevance by purpose. `subject share` is the share of the memories about the agent asked
about, which is the agent itself for its usual day, occupation, characteristics and progress.
`rare first` lets what is rare in the stream count more in the vector of the query. `relevance
8` weighs relevance so for all. `own name left out` leaves the name of the agent out of its
queries, which is no setting. `these` are the three settings of `purposes, share 1, rare first`,
which ADR 61 chose. `these, no distant statements` leaves out what is distant in the description
from plans, reactions and utterances (ADR 71). `these, focus first` is the default: it has
news, and the events that the agent attended, first by the origin and time of memories (ADR 77;
a query about an event has one statement more). The embeddings of packages were measured before
the default had the last two.

The focus was designed on the questions of four agents (*P5 design*) and measured on those of
the other four (*P5 held out*).
"""


def read_results() -> list[Result]:
    """Return the stored results, hashed words first, then the smallest package."""
    found = [json.loads(path.read_text("utf-8")) for path in RESULTS.glob("*.json")]
    return sorted(found, key=lambda one: (one["package_megabytes"], one["embedding"]))


def table(results: Sequence[Result]) -> str:
    """Return the document of the results as Markdown."""
    parts = [_HEAD, "## Embeddings\n"]
    parts += [
        _line(
            "embedding",
            "what it is",
            "numbers",
            "MB",
            "ms a text",
            "P5, paper",
            "P5, these three",
            "of the best",
            "answered",
            "R15",
        ),
        _line(*["---"] * 10),
    ]
    parts += [_embedding(result) for result in results]
    for result in results:
        parts += ["", f"## Variants with {result['embedding']}\n"]
        parts += [_line("variant", *_headings(), "statements", "CPU ms")]
        parts += [_line(*["---"] * (len(_headings()) + 3))]
        parts += [_variant(name, figures) for name, figures in result["variants"].items()]
        parts += [_best(result)]
    return "\n".join([*parts, ""])


def _headings() -> list[str]:
    of_kinds = [f"P5 {kind}" for kind in (*KINDS, *HALVES)]
    return [*of_kinds, "of the best", "answered", "R15"]


def _embedding(result: Result) -> str:
    kinds = {name: one["kinds"]["all"] for name, one in result["variants"].items()}
    figures = kinds[DEFAULT]
    return _line(
        result["embedding"],
        result["description"],
        result["dimensions"],
        f"{result['package_megabytes']:.1f}",
        f"{result['milliseconds_per_text']:.2f}",
        f"{kinds['paper']['precision']:.3f}",
        f"{figures['precision']:.3f}",
        _share_of_best(figures),
        f"{figures['answered']:.0%}",
        f"{figures['recall']:.3f}",
    )


def _share_of_best(figures: Result) -> str:
    return f"{figures['precision'] / figures['best']:.0%}"


def _variant(name: str, figures: Result) -> str:
    kinds = figures["kinds"]
    return _line(
        name,
        *(f"{kinds[kind]['precision']:.3f}" for kind in KINDS),
        *(f"{kinds[half]['precision']:.3f}" if half in kinds else "" for half in HALVES),
        _share_of_best(kinds["all"]),
        f"{kinds['all']['answered']:.0%}",
        f"{kinds['all']['recall']:.3f}",
        figures["statements_per_query"],
        figures["cpu_milliseconds"],
    )


def _best(result: Result) -> str:
    kinds = next(iter(result["variants"].values()))["kinds"]
    return _line(
        "*best possible*", *(f"{kinds[kind]['best']:.3f}" for kind in KINDS), *[""] * 7
    )


def _line(*cells: object) -> str:
    return "| " + " | ".join(map(str, cells)) + " |"
