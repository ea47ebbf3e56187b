"""The files of the example front end: what is served, and what a browser needs of it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

FOLDER: Path = settings.FRONTEND_FOLDER
BYTES_MAX = 500_000
LINES_MAX = 300
_IMPORT = re.compile(r"""^\s*(?:import|export)\b[^"';]*?["'](\.[^"']+)["']""", re.MULTILINE)
_LATER = re.compile(r"""\bimport\(["'](\.[^"']+)["']\)""")
_LINKED = re.compile(r'(?:href|src)="((?:css|js)/[^"]+)"')


def files(*kinds: str) -> list[str]:
    """Return the paths of the files of some kinds, below the folder."""
    found = (path for path in FOLDER.rglob("*") if path.suffix in kinds)
    return sorted(path.relative_to(FOLDER).as_posix() for path in found)


def imports(module: str, *forms: re.Pattern[str]) -> Iterator[str]:
    """Yield the modules that a module imports in these forms, as paths below the folder."""
    path = FOLDER / module
    text = path.read_text()
    for form in forms:
        for name in form.findall(text):
            yield (path.parent / name).resolve().relative_to(FOLDER.resolve()).as_posix()


def reached(*modules: str, forms: tuple[re.Pattern[str], ...] = (_IMPORT,)) -> set[str]:
    """Return the modules, and what they import, and so on."""
    found, waiting = set[str](), list(modules)
    while waiting:
        module = waiting.pop()
        if module not in found:
            assert (FOLDER / module).is_file(), module
            found.add(module)
            waiting += imports(module, *forms)
    return found


@pytest.fixture
def browser() -> Client:
    """Return a client without an account."""
    return Client()


class TestPage:
    def test_is_served_without_an_account(self, browser: Client) -> None:
        response = browser.get("/")
        assert response.status_code == 200
        assert response.headers["Content-Type"] == "text/html; charset=utf-8"
        assert "script-src 'self';" in response.headers["Content-Security-Policy"]

    def test_links_what_the_first_picture_needs(self) -> None:
        # Modules are loaded at once, not one after the other as they import each other; those
        # of details, which nobody opens before the picture is there, are loaded after it.
        linked = set(_LINKED.findall((FOLDER / "index.html").read_text()))
        others = ("recording", "ranking", "start")  # which are loaded with their own pages
        styles = {file for file in files(".css") if not any(map(file.count, others))}
        assert linked == reached("js/main.js", "js/stage.js") | styles
        assert not linked & reached("js/details.js") - reached("js/stage.js")

    @pytest.mark.parametrize("file", files(".css", ".js"))
    def test_consists_of_files_that_are_served(self, file: str, browser: Client) -> None:
        response = browser.get(f"/{file}")
        assert response.status_code == 200
        assert response.content == (FOLDER / file).read_bytes()
        kind = "javascript" if file.endswith(".js") else "css"
        assert response.headers["Content-Type"] == f"text/{kind}; charset=utf-8"

    def test_is_not_sent_again_unchanged(self, browser: Client) -> None:
        first = browser.get("/")
        again = browser.get("/", headers={"If-None-Match": first.headers["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
        # The browser takes the policy of this response for the page that it has kept.
        policy = "Content-Security-Policy"
        assert again.headers[policy] == first.headers[policy]

    @pytest.mark.parametrize(
        "path",
        ["/js/nothing.js", "/js/../README.md", "/js/..%2f..%2fmanage.py", "/README.md", "/js/"],
    )
    def test_has_no_other_addresses(self, path: str, browser: Client) -> None:
        assert browser.get(path).status_code == 404


class TestModules:
    def test_import_modules_that_exist_and_none_is_left_over(self) -> None:
        pages = ("js/main.js", "js/recording/main.js", "js/ranking/main.js")
        found = reached(*pages, forms=(_IMPORT, _LATER))
        assert found == set(files(".js"))

    @pytest.mark.parametrize("file", files(".css", ".js"))
    def test_are_short_and_state_their_purpose(self, file: str) -> None:
        text = (FOLDER / file).read_text()
        assert len(text.splitlines()) <= LINES_MAX
        assert text.startswith("/*")

    def test_weigh_little(self) -> None:
        weight = sum((FOLDER / file).stat().st_size for file in files(".html", ".css", ".js"))
        assert weight <= BYTES_MAX
