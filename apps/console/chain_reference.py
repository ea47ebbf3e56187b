"""The reference page of every question that is put to a model, written from the code."""

import inspect
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from django.conf import settings

from apps.llm.chain import Chain
from apps.llm.wording import preamble

PAGE = Path(settings.BASE_DIR) / "docs" / "reference" / "chains.md"
COMMAND = "manage.py describe_chains"
_OPENING = """\
# Chains: every question that is put to a model

Written by `{command}` from the code; a test holds that it is current.

A chain is one question with a typed input and one typed answer. Other people's words and
memories stand between `<quoted …>` tags, as data. An answer that does not validate is asked for
again with what was wrong with it, twice at most; then the fallback answers, and that is on
record. The version is the beginning of the sha256 of preamble and wording; it stands with every
call in the call log.

Every prompt opens with this preamble:

{preamble}

| chain | yields | fallback |
|---|---|---|
{table}
"""
_CHAIN = """\
## {name}

{purpose}

**Given** `{given}`: {given_doc}

{inputs}

**Answer** `{answer}`: {answer_doc}

{form}
{check}
**Fallback** `{fallback}`: {fallback_doc}

**Wording** `{file}`, version `{version}`:

{system}

{user}
"""
_BOUNDS = {
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {}",
    "maxItems": "at most {}",
    "minimum": "from {}",
    "maximum": "to {}",
}
# The dotted path before the name of a type.
_MODULE = re.compile(r"\b(?:\w+\.)+(?=\w)")
_KINDS = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "yes or no",
    "null": "nothing",
}


def page_of(chains: Iterable[Chain[Any, Any]]) -> str:
    """Return the page, chains in the order of their names."""
    in_order = sorted(chains, key=lambda chain: chain.name)
    opening = _OPENING.format(
        command=COMMAND,
        preamble=_fenced(preamble()),
        table="\n".join(_row(chain) for chain in in_order),
    )
    return "\n".join([opening, *(_described(chain) for chain in in_order)])


def _row(chain: Chain[Any, Any]) -> str:
    anchor = chain.name.replace(".", "")
    title = chain.wording.note.partition("\n")[0].lstrip("# ") or _purpose(chain)
    return f"| [{chain.name}](#{anchor}) | {title} | `{_name_of(chain.fallback)}` |"


def _described(chain: Chain[Any, Any]) -> str:
    schema = chain.answer.model_json_schema()
    check = (
        f"\nAlso refused: {_doc(chain.check)}\n" if chain.check and _doc(chain.check) else ""
    )
    opened_by = f"{preamble()}\n\n"
    return _CHAIN.format(
        name=chain.name,
        purpose=f"{_purpose(chain)}\n\n{_note(chain)}".rstrip(),
        given=chain.given.__name__,
        given_doc=_doc(chain.given),
        inputs="\n".join(
            f"- `{field.name}`: {_type(field.type)}" for field in fields(chain.given)
        ),
        answer=chain.answer.__name__,
        answer_doc=_doc(chain.answer),
        form="\n".join(_form(schema, schema.get("$defs", {}), "")),
        check=check,
        fallback=_name_of(chain.fallback),
        fallback_doc=_doc(chain.fallback),
        file=chain.wording.name,
        version=chain.wording.version,
        system=_fenced(
            chain.wording.system.template.removeprefix(opened_by).strip() or "(no more)"
        ),
        user=_fenced(chain.wording.user.template),
    )


def _purpose(chain: Chain[Any, Any]) -> str:
    """Return the purpose of the task from the docstring of its module."""
    words = _doc(sys.modules[chain.fills.__module__]).partition("\n")[0]
    purpose = words.removeprefix("LLM task: ")
    return purpose[:1].upper() + purpose[1:]


def _note(chain: Chain[Any, Any]) -> str:
    """Return what the wording's file says to its readers, without its title."""
    return chain.wording.note.partition("\n")[2].strip()


def _form(schema: Mapping[str, Any], known: Mapping[str, Any], indent: str) -> list[str]:
    """Return the fields of an answer as a list, nested where they are."""
    lines = []
    for name, member in schema.get("properties", {}).items():
        whole = _resolved(member, known)
        said = whole.get("description", "")
        lines.append(f"{indent}- `{name}`: {_kind(whole, known)}{f' ({said})' if said else ''}")
        inner = _resolved(whole.get("items", whole), known)
        lines += _form(inner, known, f"{indent}  ")
    return lines


def _kind(schema: Mapping[str, Any], known: Mapping[str, Any]) -> str:
    if "anyOf" in schema:
        return " or ".join(_kind(_resolved(one, known), known) for one in schema["anyOf"])
    if "enum" in schema:
        return "one of " + ", ".join(map(str, schema["enum"]))
    kind = _KINDS.get(schema.get("type", ""), "an object of")
    if schema.get("type") == "array":
        kind = f"list, each {_kind(_resolved(schema['items'], known), known)}"
    bounds = [words.format(schema[key]) for key, words in _BOUNDS.items() if key in schema]
    return ", ".join([kind, *bounds])


def _resolved(schema: Mapping[str, Any], known: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what a reference refers to, with what is said beside it."""
    name = schema.get("$ref", "").rpartition("/")[2]
    return {**known[name], **schema} if name else schema


def _type(annotation: object) -> str:
    """Return the annotation without the modules of its types."""
    words = str(annotation)
    name = words if "[" in words or "|" in words else getattr(annotation, "__name__", words)
    return f"`{_MODULE.sub('', name)}`"


def _name_of(function: Any) -> str:
    return str(getattr(function, "__name__", "fallback"))


def _doc(thing: object) -> str:
    return inspect.getdoc(thing) or ""


def _fenced(text: str) -> str:
    return f"```\n{text}\n```"
