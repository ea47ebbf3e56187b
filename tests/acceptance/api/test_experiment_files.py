"""The files of an experiment over HTTP: figures that the report links to, tables as Parquet."""

import re
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import duckdb
import pytest

from apps import wiring
from apps.evaluation.plots import svg_figure
from apps.evaluation.surveys.commands import SURVEYS
from apps.experiments.experiment_report import write_report_folder
from apps.interaction.inputs import TypedQuestionInput
from apps.interaction.llm_tasks import CHOICE, ChoiceAnswer
from apps.reports import tables
from tests.acceptance.api.calling import Caller, problem
from tests.acceptance.api.test_experiments import (
    MOOD_SURVEY,
    ONE_RUN,
    add_mood_questionnaire,
    path_of,
    requested,
    work,
)
from tests.acceptance.api.test_plots import words_of
from tests.support.towns import answering

pytestmark = pytest.mark.django_db(transaction=True)  # leases are renewed by threads

OPTIONS = ["yes (of course)", "yes/of?course#)", "no & 50 %", "schön"]


def first_option(_inputs: TypedQuestionInput, _chance: object) -> ChoiceAnswer:
    return ChoiceAnswer(answer="Of course.", choice=OPTIONS[0])


@pytest.fixture
def measured(isabella: Caller) -> dict[str, Any]:
    """Give a finished experiment whose measures have options with all kinds of signs."""
    form = {"kind": "choice", "options": OPTIONS}
    question = {"name": "party", "text": "Is there a party?", "answer": form}
    add_mood_questionnaire(isabella, [question])
    measures = ["network.remembered.density", MOOD_SURVEY]
    shown = requested(isabella, **ONE_RUN, moments=[20], measures=measures)
    work(rounds=3)
    for survey in SURVEYS.ids():
        SURVEYS.carry_out(answering({CHOICE.name: first_option}), survey)
    work(rounds=3)
    shown = isabella.get(path_of(shown)).json()
    assert shown["state"] == "done"
    return dict(shown)


def links_of(markdown: str) -> list[str]:
    return re.findall(r"\]\(([^)\n]*)\)", markdown)


class TestFigures:
    def test_are_found_at_each_link_of_the_report(
        self, isabella: Caller, measured: dict[str, Any]
    ) -> None:
        report = f"{path_of(measured)}/report?format=markdown"
        text = isabella.get(report).content.decode()
        links = links_of(text)
        titles = []
        for link in links:
            figure = isabella.get(urljoin(report, link))
            assert figure.status_code == 200, link
            assert figure["Content-Type"] == "image/svg+xml; charset=utf-8"
            assert "style-src 'unsafe-inline'" in figure["Content-Security-Policy"]
            titles.append(words_of(figure.content)[0])
            assert b"game time" in figure.content
        begin = '"Is there a party?": share of the'
        # What nobody has chosen, and what no answer lacks, is no figure but a line of text.
        density = "Share of the joined pairs of all pairs; two agents are joined by a memory"
        assert titles == [
            f"{density} about the other one, also of a sight",
            f"{begin} interviews that were answered",
            f"{begin} answers with a value",
            f'{begin} answers "{OPTIONS[0]}"',
        ]
        assert "survey.mood.party.without_value.not-given (always 0)" in text
        assert f"survey.mood.party.share.{OPTIONS[3]} (always 0)" in text

    def test_are_listed_with_titles_units_and_what_is_not_drawn(
        self, isabella: Caller, measured: dict[str, Any]
    ) -> None:
        listed = isabella.everything(f"{path_of(measured)}/plots")
        assert len(listed) == 3 + 5 + len(OPTIONS)
        for one in listed:
            figure = isabella.get(f"{path_of(measured)}/plots/{one['name']}.svg")
            if one["problem"] is None:
                assert f">{one['unit']}<" in figure.content.decode()
            else:
                shown = problem(figure, 404, "figure-unknown")
                assert one["problem"] == "always 0"
                assert "always 0" in shown["detail"]

    def test_are_files_of_the_same_names_and_bytes_in_a_folder(
        self, isabella: Caller, measured: dict[str, Any], tmp_path: Path
    ) -> None:
        write_report_folder(wiring.ports(), measured["id"], tmp_path)
        links = links_of((tmp_path / "report.md").read_text("utf-8"))
        assert len(links) == len(set(links)) == 4
        for link in links:
            served = isabella.get(f"{path_of(measured)}/{link}").content
            assert (tmp_path / link).read_bytes() == served

    def test_that_are_missing_name_the_others(
        self, isabella: Caller, measured: dict[str, Any], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = f"{path_of(measured)}/plots"
        shown = problem(isabella.get(f"{path}/weather.svg"), 404, "figure-unknown")
        assert "network.remembered.density" in shown["detail"]
        fresh = requested(isabella, **ONE_RUN, name="fresh", moments=[20])
        unmeasured = f"{path_of(fresh)}/plots/network.remembered.density.svg"
        shown = problem(isabella.get(unmeasured), 404, "figure-unknown")
        assert "no value yet" in shown["detail"]
        monkeypatch.setattr(svg_figure, "find_spec", lambda _name: None)
        density = f"{path}/network.remembered.density.svg"
        problem(isabella.get(density), 422, "plots-unavailable")


class TestParquet:
    @pytest.mark.parametrize("table", ["results", "summary", "runs"])
    def test_has_the_rows_and_columns_of_the_csv(
        self, isabella: Caller, measured: dict[str, Any], tmp_path: Path, table: str
    ) -> None:
        paths = {form: tmp_path / f"table.{form}" for form in ("csv", "parquet")}
        for form, path in paths.items():
            response = isabella.get(f"{path_of(measured)}/{table}?format={form}")
            assert response.status_code == 200
            path.write_bytes(response.content)
        assert response["Content-Type"] == "application/octet-stream"
        with duckdb.connect() as database:
            rows = database.read_parquet(str(paths["parquet"]))
            lines = database.read_csv(str(paths["csv"]), header=True, all_varchar=True)
            assert rows.columns == lines.columns
            assert len(rows.fetchall()) == len(lines.fetchall()) > 0

    def test_needs_the_optional_package(
        self, isabella: Caller, measured: dict[str, Any], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(tables, "find_spec", lambda _name: None)
        answer = isabella.get(f"{path_of(measured)}/results?format=parquet")
        problem(answer, 422, "parquet-unavailable")
