"""Plots over HTTP: the history of a moment, in bytes that are the same each time."""

from xml.etree import ElementTree

import pytest

from apps.evaluation.plots import svg_figure
from apps.evaluation.plots.plot_catalogue import PLOTS
from apps.eventlog.store import log_sha256
from apps.simulation.models import SimulationRow
from tests.acceptance.api.calling import Caller, problem

pytestmark = pytest.mark.django_db

PARTY = {"topic": ["party"], "about": ["Isabella", "Hobbs Cafe"]}
SIX = "2023-02-13T06:00:00"
SVG = "{http://www.w3.org/2000/svg}"
TEXTS = {f"{SVG}{tag}" for tag in ("title", "desc", "text", "tspan")}


def words_of(document: bytes) -> list[str]:
    """Return the texts of an SVG document: first its title and its description."""
    root = ElementTree.fromstring(document)  # noqa: S314 (own bytes)
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    assert [child.tag for child in root[:2]] == [f"{SVG}title", f"{SVG}desc"]
    return [str(one.text) for one in root.iter() if one.tag in TEXTS]


def test_are_listed(isabella: Caller, town: str) -> None:
    plots = isabella.everything(f"{town}/plots")
    assert [plot["name"] for plot in plots] == sorted(PLOTS)
    assert [plot["name"] for plot in plots if plot["needs_news"]] == ["news"]
    [found] = isabella.everything(f"{town}/plots", search="REFLECTIONS")
    assert found["name"] == "importance"


def test_have_the_names_of_the_agents_as_text(isabella: Caller, town: str) -> None:
    for name in sorted(PLOTS.keys() - {"costs"}):
        response = isabella.get(f"{town}/plots/{name}.svg", at=SIX, **PARTY)
        assert response.headers["Content-Type"] == "image/svg+xml; charset=utf-8"
        # Without this, a browser would not apply the styles of the image.
        assert "style-src 'unsafe-inline'" in response.headers["Content-Security-Policy"]
        words = words_of(response.content)
        assert {"Isabella Rodriguez", "Klaus Mueller", "Maria Lopez"} <= {*words}, name
        assert len(response.content) < 300_000
    tasks = isabella.get(f"{town}/costs", at=SIX).json()["by_task"]
    words = words_of(isabella.get(f"{town}/plots/costs.svg", at=SIX).content)
    assert {task["key"] for task in tasks} <= {*words}


def test_change_nothing_and_are_the_same_each_time(
    isabella: Caller, town: str, lived: SimulationRow
) -> None:
    before = log_sha256(lived.pk)
    for name in PLOTS:
        once, again = (
            isabella.get(f"{town}/plots/{name}.svg", at=SIX, **PARTY) for _ in range(2)
        )
        assert once.content == again.content, name
        assert once.headers["ETag"] == again.headers["ETag"]
    headers = isabella.headers | {"If-None-Match": once.headers["ETag"]}
    address = f"/api/v1{town}/plots/{name}.svg"
    kept = isabella.client.get(address, {"at": SIX, **PARTY}, headers=headers)
    assert (kept.status_code, kept.content) == (304, b"")
    assert kept.headers["Content-Security-Policy"] == once.headers["Content-Security-Policy"]
    now = isabella.get(f"{town}/plots/activity.svg")
    assert now.content != isabella.get(f"{town}/plots/activity.svg", at=SIX).content
    assert log_sha256(lived.pk) == before


def test_show_words_of_users_as_words(isabella: Caller, town: str) -> None:
    topic = "</title><script>a(1)</script> $x$ & more"
    response = isabella.get(f"{town}/plots/news.svg", topic=[topic])
    words = words_of(response.content)
    assert f"Spread of the news “{topic}”: 0 of 3 agents know it" in words
    assert b"<script" not in response.content


def test_are_refused_with_what_is_missing(
    isabella: Caller, town: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem(isabella.get(f"{town}/plots/news.svg"), 422, "news-missing")
    problem(isabella.get(f"{town}/plots/weather.svg"), 404, "plot-unknown")
    later = isabella.get(f"{town}/plots/costs.svg", at="2023-02-20T06:00:00")
    problem(later, 422, "invalid-request")
    monkeypatch.setattr(svg_figure, "find_spec", lambda _name: None)
    shown = problem(isabella.get(f"{town}/plots/costs.svg"), 422, "plots-unavailable")
    assert "requirements-evaluation.txt" in str(shown)
