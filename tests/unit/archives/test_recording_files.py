"""The file of a recording: modules in one script, words of agents that stay words."""

import gzip
import json
import re
from base64 import b64decode, b64encode
from dataclasses import fields
from hashlib import sha256
from pathlib import Path

import pytest
from django.conf import settings

from apps import wiring
from apps.archives.recordings.recorded_history import BEGINNINGS, RECORDED_FIELDS
from apps.archives.recordings.recording_page import (
    ModulesUnbundled,
    bundle_modules,
    write_recording,
)

FRONT_END: Path = settings.FRONTEND_FOLDER
HOSTILE = "</script><script>alert('x')</script><!--script--> & \"quoted\""


def modules(folder: Path, **texts: str) -> Path:
    for name, text in texts.items():
        (folder / f"{name}.js").write_text(text, "utf-8")
    return folder


class TestBundle:
    def test_has_each_module_once_before_those_that_import_it(self, tmp_path: Path) -> None:
        folder = modules(
            tmp_path,
            main='import { a, b as other } from "./one.js";\nimport { c } from "./two.js";\n'
            "console.log(a(), other, c);\n",
            one='import { c } from "./two.js";\nexport function a() { return c; }\n'
            "export const b = 1;\nexport class Unused {}\nexport async function later() {}\n",
            two="export const c = 2;\n",
        )
        script = bundle_modules(folder, "main.js")
        assert [*re.findall(r"/\* (\w+\.js) \*/", script)] == ["two.js", "one.js", "main.js"]
        assert "return { a, b, Unused, later };" in script
        assert "const { a, b: other } = module2;" in script
        assert not re.search(r"^(?:import|export)\b", script, re.MULTILINE)

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ('import * as all from "./one.js";\n', "import [*] as all"),
            ("export default 1;\n", "export default 1"),
            ('import { x } from "./main.js";\n', "imports itself"),
        ],
    )
    def test_refuses_what_it_does_not_know(self, tmp_path: Path, text: str, told: str) -> None:
        folder = modules(tmp_path, main=text, one="export const x = 1;\n")
        with pytest.raises(ModulesUnbundled, match=told):
            bundle_modules(folder, "main.js")

    def test_has_what_the_page_draws_with(self) -> None:
        script = bundle_modules(FRONT_END, "js/recording/main.js")
        for module in ("js/town/town.js", "js/town/tracks.js", "js/map/scene.js", "js/app.js"):
            assert f"/* {module} */" in script
        # What asks a server for more than a recording has stays out.
        for module in ("js/panels/ask.js", "js/charts/costs.js", "js/time/controls.js"):
            assert f"/* {module} */" not in script


class TestEvents:
    def test_have_the_fields_that_are_recorded(self) -> None:
        for event, names in RECORDED_FIELDS.items():
            assert {*names} <= {field.name for field in fields(event)}, event
        assert {*RECORDED_FIELDS} <= {*wiring.EVENTS}
        assert {*BEGINNINGS} <= {*RECORDED_FIELDS}

    def test_are_all_that_change_the_picture(self) -> None:
        module = (FRONT_END / "js" / "town" / "events.js").read_text("utf-8")
        drawn, _, rest = module.partition("/** What is only told. */")
        recorded = {event.type for event in RECORDED_FIELDS}
        assert {*re.findall(r'"([\w.-]+\.v\d+)"', drawn)} <= recorded
        assert recorded <= {*re.findall(r'"([\w.-]+\.v\d+)"', drawn + rest)}


class TestFile:
    def test_keeps_words_out_of_its_markup(self) -> None:
        history = {"name": HOSTILE, "events": [{"data": {"text": HOSTILE}}]}
        page = write_recording(FRONT_END, history)
        assert page.count("<script") == page.count("</script>") == 2
        assert "<!--" not in page
        assert "alert(" not in page.replace("alert(&#x27;x&#x27;)", "")
        [packed] = re.findall(r'id="history">([^<]*)</script>', page)
        assert json.loads(gzip.decompress(b64decode(packed))) == history

    def test_is_the_same_for_the_same_history(self) -> None:
        assert write_recording(FRONT_END, {"name": "a"}) == write_recording(
            FRONT_END, {"name": "a"}
        )

    def test_allows_its_own_script_and_no_request(self) -> None:
        page = write_recording(FRONT_END, {"name": "a town"})
        [policy] = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
        rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
        assert rules["default-src"] == "&#x27;none&#x27;"
        assert not {"connect-src", "font-src", "frame-src"} & {*rules}
        [script] = re.findall(r'<script type="module">(.*?)</script>', page, re.DOTALL)
        [style] = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
        for name, text in (("script-src", script), ("style-src", style)):
            digest = b64encode(sha256(text.encode()).digest()).decode()
            assert rules[name] == f"&#x27;sha256-{digest}&#x27;"
        assert not re.search(r"(?:src|href)=\"(?!data:|#)", page)
