"""The reference page of all LLM tasks, written from the code."""

import inspect
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from django.conf import settings

from apps.kernel.text import join_and
from apps.llm.answers.answer_options import FORM, OPTION_SET
from apps.llm.prompts.sections import SHARED, shared_texts
from apps.llm.prompts.sets import ENGLISH, FOLDERS
from apps.llm.prompts.template import PromptTemplate
from apps.llm.task import LLMTask

PAGE = Path(settings.BASE_DIR) / "docs" / "reference" / "llm_tasks.md"
COMMAND = "manage.py describe_llm_tasks"
_OPENING = """\
# LLM tasks

Written by `{command}` from the code.

An LLM task is a prompt with a typed input and one typed answer. Text of users, world files and
models is between `<quoted …>` tags, as data. A field of an option set holds one of the keys
that are offered with the call, as an enumeration in its schema. An answer that does not
validate is requested again with its error, twice at most; then the fallback is used, and its
name is recorded. Each difference between the answer and what is done is recorded, too. The
version is the set of templates and the beginning of the sha256 of the two messages; the call
log has it for every call.

A prompt has four sections, ordered for prefix caches: the common section, which is the system
message, then the agent, the day and the task, as far as the task needs them. The first three
are the same in all prompts:

{shared}

| task | yields | fallback |
|---|---|---|
{table}
"""
_TASK = """\
## {name}

{purpose}

**Inputs** `{input_type}`: {input_doc}

{input_fields}

**Answer** `{answer}`: {answer_doc}

{form}
{check}
**Fallback** `{fallback}`: {fallback_doc}

**Prompt template** `{file}`, version `{version}`:

{sections}

{task}
"""
_BOUNDS = {
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {}",
    "maxItems": "at most {}",
    "minimum": "from {}",
    "maximum": "to {}",
    OPTION_SET: "one of the option set `{}` of the call",
    FORM: "a {} time",
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


def page_of(tasks: Iterable[LLMTask[Any, Any]]) -> str:
    """Return the page, tasks in the order of their names."""
    shared = shared_texts(FOLDERS[ENGLISH])
    in_order = sorted(tasks, key=lambda task: task.name)
    opening = _OPENING.format(
        command=COMMAND,
        shared="\n\n".join(_fenced(shared[heading]) for heading in SHARED),
        table="\n".join(_row(task) for task in in_order),
    )
    return "\n".join([opening, *(_described(task) for task in in_order)])


def _row(task: LLMTask[Any, Any]) -> str:
    anchor = task.name.replace(".", "")
    title = task.template(ENGLISH).note.partition("\n")[0].lstrip("# ") or _purpose(task)
    return f"| [{task.name}](#{anchor}) | {title} | `{_name_of(task.fallback)}` |"


def _described(task: LLMTask[Any, Any]) -> str:
    schema, template = task.answer_type.model_json_schema(), task.template(ENGLISH)
    check = f"\nCheck: {_doc(task.check)}\n" if task.check and _doc(task.check) else ""
    return _TASK.format(
        name=task.name,
        purpose=f"{_purpose(task)}\n\n{_note(task)}".rstrip(),
        input_type=task.input_type.__name__,
        input_doc=_doc(task.input_type),
        input_fields="\n".join(
            f"- `{field.name}`: {_type(field.type)}" for field in fields(task.input_type)
        ),
        answer=task.answer_type.__name__,
        answer_doc=_doc(task.answer_type),
        form="\n".join(_form(schema, schema.get("$defs", {}), "")),
        check=check,
        fallback=_name_of(task.fallback),
        fallback_doc=_doc(task.fallback),
        file=template.name,
        version=template.version,
        sections=f"Sections: {_sections(template)}.",
        task=_fenced(template.task),
    )


def _sections(template: PromptTemplate) -> str:
    names = [heading.removeprefix("## ") for heading in template.sections]
    return join_and(names)


def _purpose(task: LLMTask[Any, Any]) -> str:
    """Return the purpose of the task from the docstring of its module."""
    doc = _doc(sys.modules[task.variables.__module__]).partition("\n")[0]
    purpose = doc.removeprefix("LLM task: ")
    return purpose[:1].upper() + purpose[1:]


def _note(task: LLMTask[Any, Any]) -> str:
    """Return the note in the template's file, without its title."""
    return task.template(ENGLISH).note.partition("\n")[2].strip()


def _form(schema: Mapping[str, Any], known: Mapping[str, Any], indent: str) -> list[str]:
    """Return the fields of an answer as a nested list."""
    lines = []
    for name, member in schema.get("properties", {}).items():
        whole = _resolved(member, known)
        about = f" ({whole['description']})" if whole.get("description") else ""
        lines.append(f"{indent}- `{name}`: {_kind(whole, known)}{about}")
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
    """Return the schema that a reference names, with the keywords beside it."""
    name = schema.get("$ref", "").rpartition("/")[2]
    return {**known[name], **schema} if name else schema


def _type(annotation: object) -> str:
    """Return the annotation without the modules of its types."""
    text = str(annotation)
    name = text if "[" in text or "|" in text else getattr(annotation, "__name__", text)
    return f"`{_MODULE.sub('', name)}`"


def _name_of(function: Any) -> str:
    return str(getattr(function, "__name__", "fallback"))


def _doc(thing: object) -> str:
    return inspect.getdoc(thing) or ""


def _fenced(text: str) -> str:
    return f"```\n{text}\n```"
