"""Memories, events and a timeline, had whole as JSON Lines and CSV (U9)."""

import csv
import io
import json
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.api.operations.documentation import schema_document
from apps.reports.tables import cell
from apps.simulation.models import SimulationRow
from tests.acceptance.api.calling import Caller, problem

PERSON = "/agents/isabella-rodriguez"
TYPES = {"jsonl": "application/x-ndjson", "csv": "text/csv; charset=utf-8; header=present"}
MORNING_TICKS = 2_880
TIMES = st.integers(0, MORNING_TICKS) | st.sampled_from(
    ["2023-02-13T06:00:00", "2023-02-13T07:30", "2023-02-13"]
)
SPAN = {"from": TIMES, "to": TIMES}


def some_of(*values: str) -> st.SearchStrategy[list[str]]:
    """Draw one or more of the values, each once."""
    return st.lists(st.sampled_from(values), min_size=1, unique=True)


@dataclass(frozen=True)
class Kept:
    """A list that can be downloaded: where, the columns of its CSV, its filters, its file."""

    path: str
    columns: tuple[str, ...]
    filters: dict[str, st.SearchStrategy[Any]]
    file: str
    none: dict[str, Any] = field(
        default_factory=lambda: {"from": MORNING_TICKS * 2, "to": MORNING_TICKS * 2}
    )
    unusable: dict[str, Any] = field(default_factory=lambda: {"to": "noon"})


# The columns are what users' own programs read: a new one is put last.
LISTS = {
    "memories": Kept(
        path=f"{PERSON}/memories",
        columns=(
            "id", "kind", "description", "importance", "evidence", "subject", "created_at",
            "created_tick", "last_retrieved_at", "last_retrieved_tick", "rated", "times",
            "last_repeated_at", "last_repeated_tick", "origin", "passing_on",
        ),
        filters=SPAN
        | {
            "kind": some_of("plan", "observation", "dialogue"),
            "order": st.sampled_from(["created_at", "-importance", "-last_retrieved_at"]),
        },
        file="memories-of-isabella-rodriguez",
    ),
    "events": Kept(
        path="/events",
        columns=(
            "id", "tick", "time", "stream", "ordinal", "type", "data", "cause", "model_calls",
            "recorded_at",
        ),
        filters=SPAN
        | {
            "type": some_of("agents.walk-began.v1", "memory.formed.v1"),
            "agent": st.sampled_from(["klaus-mueller", "maria-lopez", "commands"]),
            "after": st.sampled_from(["1/klaus-mueller/3", "2400/maria-lopez/0"]),
        },
        file="events",
    ),
    "timeline": Kept(
        path=f"{PERSON}/timeline",
        columns=(
            "description", "emoji", "area", "object", "towards", "asleep", "plan_item",
            "event", "act", "other", "start_at", "start_tick", "due_at", "due_tick", "end_at",
            "end_tick",
        ),
        filters=SPAN,
        file="timeline-of-isabella-rodriguez",
        none={"from": MORNING_TICKS * 2, "to": 0},
    ),
    "all-memories": Kept(
        path="/memories",
        columns=(
            "id", "kind", "description", "importance", "evidence", "subject", "created_at",
            "created_tick", "last_retrieved_at", "last_retrieved_tick", "rated", "times",
            "last_repeated_at", "last_repeated_tick", "origin", "passing_on", "agent",
        ),
        filters=SPAN
        | {
            "kind": some_of("plan", "observation"),
            "agent": st.sampled_from(["isabella-rodriguez", "maria-lopez"]),
            "order": st.sampled_from(["-agent", "created_at", "-importance"]),
            "search": st.sampled_from(["party", "KLAUS"]),
        },
        file="memories",
    ),
    "model-calls": Kept(
        path="/model-calls",
        columns=(
            "id", "tick", "time", "stream", "task", "wording_version", "server", "model",
            "outcome", "fallback", "prompt_tokens", "completion_tokens", "latency_ms", "cost",
            "served_model", "system_fingerprint", "server_version", "recorded_at",
            "cached_prompt_tokens", "billed_equivalent_tokens", "purpose",
        ),
        filters=SPAN
        | {
            "agent": st.sampled_from(["isabella-rodriguez", "maria-lopez"]),
            "task": st.sampled_from(["memory.importance", "planning.day_outline"]),
            "order": st.sampled_from(["tick", "-tick"]),
            "search": st.just("party"),
        },
        file="model-calls",
    ),
    "relationships": Kept(
        path="/relationships",
        columns=(
            "agent", "other", "remembered", "mutual", "sighted", "met", "talked", "related",
            "tie", "standing", "latest_memory", "last_talk_at", "last_talk_tick",
            "memory_count", "conversation_count",
        ),
        filters={
            "agent": st.sampled_from(["isabella-rodriguez", "maria-lopez"]),
            "order": st.sampled_from(["agent", "-agent"]),
            "search": st.just("klaus"),
        },
        file="relationships",
        none={"search": "nobody of this name"},
        unusable={"order": "mood"},
    ),
}  # fmt: skip
everywhere = pytest.mark.parametrize("kept", LISTS.values(), ids=LISTS)
in_each_form = pytest.mark.parametrize("form", TYPES)


@everywhere
class TestDownload:
    def test_holds_what_paging_through_the_list_gives(
        self, kept: Kept, town: str, isabella: Caller
    ) -> None:
        asked = st.fixed_dictionaries({}, optional=kept.filters)

        @settings(
            max_examples=15,
            deadline=None,
            database=None,
            suppress_health_check=[HealthCheck.too_slow],
        )
        @given(query=asked, limit=st.integers(40, 500))
        def holds_it(query: dict[str, Any], limit: int) -> None:
            path = f"{town}{kept.path}"
            paged = isabella.everything(path, **query, limit=limit)
            jsonl = isabella.get(path, **query, format="jsonl").getvalue()
            assert [json.loads(line) for line in jsonl.splitlines()] == paged
            head, *lines = in_cells(isabella.get(path, **query, format="csv"))
            assert tuple(head) == kept.columns
            assert lines == [[cell(item[name]) for name in head] for item in paged]

        holds_it()

    @in_each_form
    def test_is_a_file_to_be_kept(
        self, kept: Kept, form: str, town: str, isabella: Caller
    ) -> None:
        response = isabella.get(f"{town}{kept.path}", format=form)
        assert response.status_code == 200
        assert response["Content-Type"] == TYPES[form]
        assert response["Content-Disposition"] == f'attachment; filename="{kept.file}.{form}"'
        assert "Accept" in response["Vary"]
        assert "ETag" not in response
        assert "Content-Length" not in response
        assert response.streaming

    @in_each_form
    def test_can_be_asked_for_by_media_type(
        self, kept: Kept, form: str, town: str, isabella: Caller
    ) -> None:
        address = f"/api/v1{town}{kept.path}"
        headers = isabella.headers | {"Accept": TYPES[form].partition(";")[0]}
        accepted = isabella.client.get(address, headers=headers)
        named = isabella.get(f"{town}{kept.path}", format=form)
        assert accepted["Content-Type"] == named["Content-Type"]
        assert accepted.getvalue() == named.getvalue()

    @in_each_form
    def test_has_no_pages(self, kept: Kept, form: str, town: str, isabella: Caller) -> None:
        refused = problem(
            isabella.get(f"{town}{kept.path}", format=form, limit=5), 422, "invalid-request"
        )
        assert [(error["parameter"], error["code"]) for error in refused["errors"]] == [
            ("limit", "not-in-a-download")
        ]

    @in_each_form
    def test_speaks_of_committed_ticks_only(
        self, kept: Kept, form: str, lived: SimulationRow, town: str, isabella: Caller
    ) -> None:
        SimulationRow.objects.filter(pk=lived.pk).update(committed_tick=2_200)
        paged = isabella.everything(f"{town}{kept.path}", limit=500)
        lines = isabella.get(f"{town}{kept.path}", format=form).getvalue().decode()
        assert len(list(csv.reader(io.StringIO(lines, newline="")))) == len(paged) + (
            form == "csv"
        )

    @in_each_form
    def test_of_nothing_is_empty(
        self, kept: Kept, form: str, town: str, isabella: Caller
    ) -> None:
        response = isabella.get(f"{town}{kept.path}", **kept.none, format=form)
        lines = response.getvalue().splitlines()
        assert lines == ([",".join(kept.columns).encode()] if form == "csv" else [])

    def test_without_a_form_is_a_page(self, kept: Kept, town: str, isabella: Caller) -> None:
        page = isabella.get(f"{town}{kept.path}", format="json", limit=2)
        assert len(page.json()["results"]) == 2
        assert "format=json" in page.json()["next"]
        assert page["Content-Type"] == "application/json"
        assert "Content-Disposition" not in page

    def test_of_an_unknown_form_is_refused(
        self, kept: Kept, town: str, isabella: Caller
    ) -> None:
        refused = problem(
            isabella.get(f"{town}{kept.path}", format="xml"), 422, "invalid-request"
        )
        assert refused["errors"][0]["parameter"] == "format"

    @in_each_form
    def test_refuses_as_pages_do(
        self, kept: Kept, form: str, town: str, isabella: Caller, klaus: Caller, nobody: Caller
    ) -> None:
        path = f"{town}{kept.path}"
        problem(nobody.get(path, format=form), 401, "token-missing")
        problem(klaus.get(path, format=form), 404, "simulation-unknown")
        problem(isabella.get(path, format=form, **kept.unusable), 422, "invalid-request")

    @in_each_form
    def test_can_be_looked_at_first(
        self, kept: Kept, form: str, town: str, isabella: Caller
    ) -> None:
        address = f"/api/v1{town}{kept.path}?format={form}"
        response = isabella.client.head(address, headers=isabella.headers)
        assert response.status_code == 200
        assert response["Content-Type"] == TYPES[form]
        assert response.getvalue() == b""

    def test_is_described(self, kept: Kept) -> None:
        path = "/api/v1/simulations/{simulation}" + kept.path.replace(PERSON, "/agents/{agent}")
        operation = schema_document()["paths"][path]["get"]
        described = operation["responses"]["200"]
        assert set(described["content"]) == {
            "application/json",
            "application/x-ndjson",
            "text/csv",
        }
        assert (
            ", ".join(kept.columns) in described["content"]["text/csv"]["schema"]["description"]
        )
        assert "Content-Disposition" in described["headers"]
        [form] = [found for found in operation["parameters"] if found["name"] == "format"]
        assert form["schema"]["enum"] == ["json", "jsonl", "csv"]


class TestCSV:
    def test_holds_no_formula(self, town: str, isabella: Caller) -> None:
        # Whoever writes a person's description writes cells of somebody's spreadsheet.
        head, *lines = in_cells(isabella.get(f"{town}/events", format="csv"))
        for line in lines:
            assert not [text for text in line if text.startswith(("=", "+", "-", "@"))]
        assert len({len(line) for line in [head, *lines]}) == 1


def in_cells(response: Any) -> list[list[str]]:
    """Return the cells of a CSV, as any reader of RFC 4180 sees them."""
    return list(csv.reader(io.StringIO(response.getvalue().decode(), newline=""), strict=True))
