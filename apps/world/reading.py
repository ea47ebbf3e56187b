"""Reads a world's files: JSON and YAML, with what is wrong as problems."""

import json
from pathlib import Path

import yaml

from apps.world.problems import Findings
from apps.world.strict_yaml import load_yaml

FILE_BYTES_MAX = 20_000_000
_WHOLE = "the whole file"


def read_json(directory: Path, findings: Findings) -> object:
    """Return what the JSON file says, None with a problem noted if it cannot be read."""
    text = _text(directory, findings)
    if text is None:
        return None
    try:
        return _not_empty(json.loads(text), findings)
    except json.JSONDecodeError as broken:
        findings.add(
            f"line {broken.lineno}, column {broken.colno}",
            f"is not JSON ({broken.msg})",
            mend="export the map again with Tiled, as a JSON map file",
        )
    except RecursionError:
        findings.add(_WHOLE, "is nested too deeply", mend="export the map again with Tiled")
    return None


def read_yaml(directory: Path, findings: Findings) -> object:
    """Return what the YAML file says, None with a problem noted if it cannot be read."""
    text = _text(directory, findings)
    if text is None:
        return None
    try:
        content, repeated = load_yaml(text)
    except yaml.MarkedYAMLError as broken:
        mark = broken.problem_mark or broken.context_mark
        where = f"line {mark.line + 1}, column {mark.column + 1}" if mark else _WHOLE
        what = f"is not YAML ({broken.problem or broken.context})"
        findings.add(where, what, mend="put texts that hold a colon in double quotes")
        return None
    except (yaml.YAMLError, RecursionError):
        findings.add(_WHOLE, "is not YAML", mend="write it as the guide's example shows")
        return None
    for key, line in repeated:
        findings.add(
            f"line {line}, {key!r}",
            "stands twice in the same list of names",
            mend="rename or remove one of the two",
        )
    return _not_empty(content, findings)


def _not_empty(content: object, findings: Findings) -> object:
    if content is None:
        findings.add(_WHOLE, "is empty", mend="write it as the guide's example shows")
    return content


def _text(directory: Path, findings: Findings) -> str | None:
    path = directory / findings.file
    try:
        if path.stat().st_size > FILE_BYTES_MAX:
            findings.add(
                _WHOLE,
                f"is larger than {FILE_BYTES_MAX} bytes",
                mend="make the map smaller, or compress its tile layers with zlib",
            )
            return None
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        findings.add(_WHOLE, "is missing", mend=f"add {findings.file} to the world's folder")
    except UnicodeDecodeError:
        findings.add(_WHOLE, "is not UTF-8 text", mend="save it as UTF-8")
    except OSError as denied:
        findings.add(
            _WHOLE, f"cannot be read ({denied.strerror})", mend="make it a readable file"
        )
    return None
