"""Writes a recording: one HTML file with the modules of the page, the map and the history.

The data are compressed and in base64, so that no text of an agent is part of the markup. The
policy of the file allows its own script and style only, and no request at all.
"""

import gzip
import json
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any

from apps.archives.recordings.module_bundle import ModulesUnbundled, bundle_modules

TEMPLATE, ENTRY = "recording.html", "js/recording/main.js"
STYLES = ("css/base.css", "css/layout.css", "css/panels.css", "css/recording.css")
_POLICY = (
    "default-src 'none'; script-src 'sha256-{script}'; style-src 'sha256-{style}'; "
    "img-src data:; base-uri 'none'; form-action 'none'"
)


def write_recording(folder: Path, history: Mapping[str, Any]) -> str:
    """Return the file.

    :param folder: the folder of the front-end stub.
    :param history: of `record_history`.
    :raises ModulesUnbundled: if the modules cannot be put into one script.
    """
    script = f"\n{bundle_modules(folder, ENTRY)}"
    style = "\n" + "".join((folder / name).read_text("utf-8") for name in STYLES)
    if any(tag in script for tag in ("</script", "<!--")):
        raise ModulesUnbundled("a module has a tag that would end or hide the script")
    packed = gzip.compress(
        json.dumps(history, ensure_ascii=False, separators=(",", ":")).encode(), 9, mtime=0
    )
    values = {
        "policy": escape(_POLICY.format(script=_hash(script), style=_hash(style)), quote=True),
        "title": escape(str(history["name"])),
        "style": style,
        "name": escape(str(history["name"])),
        "history": b64encode(packed).decode(),
        "script": script,
    }
    page = (folder / TEMPLATE).read_text("utf-8")
    parts: list[str] = []
    for name, value in values.items():  # in the order of the template
        before, mark, page = page.partition(f"<!--{name}-->")
        if not mark:
            raise ModulesUnbundled(f"{TEMPLATE} has no place for the {name}")
        parts += [before, value]
    return "".join((*parts, page))


def _hash(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode()
