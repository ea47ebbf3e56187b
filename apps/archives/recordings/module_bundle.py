"""Bundles ES modules into one script, so that a page needs no other file.

Only the forms of import and export that the modules of the front-end stub use are known: named
imports and exports of functions, classes and constants, each on a line of its own.
"""

import re
from pathlib import Path, PurePosixPath
from posixpath import normpath

from apps.kernel.errors import SmallvilleError

_IMPORT = re.compile(r'^import \{ ([^}\n]+) \} from "(\.[^"\n]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?function|class|const) (\w+)", re.MULTILINE)
_LEFT_OVER = re.compile(r"^(?:import|export)\b.*$", re.MULTILINE)


class ModulesUnbundled(SmallvilleError):
    """Modules of the page cannot be put into one script."""

    code = "modules-unbundled"


def bundle_modules(folder: Path, entry: str) -> str:
    """Return the script of a module and of all modules that it imports, each once.

    :param entry: the path of the module below the folder.
    :raises ModulesUnbundled: if a module has another form of import or export, or imports
        itself by way of others.
    """
    names: dict[str, str] = {}
    parts: list[str] = []
    open_modules: list[str] = []

    def add(path: str) -> str:
        """Add a module after those that it imports; return the name of its exports."""
        if path in names:
            return names[path]
        if path in open_modules:
            raise ModulesUnbundled(f"{path} imports itself: {' → '.join(open_modules)}")
        open_modules.append(path)
        text = (folder / path).read_text("utf-8")

        def imported(found: re.Match[str]) -> str:
            target = normpath(str(PurePosixPath(path).parent / found[2]))
            return f"const {{ {found[1].replace(' as ', ': ')} }} = {add(target)};"

        body = _IMPORT.sub(imported, text)
        exports = [name for _, name in _EXPORT.findall(body)]
        body = _EXPORT.sub(r"\1 \2", body)
        left = _LEFT_OVER.search(body)
        if left is not None:
            raise ModulesUnbundled(f"{path} has a form that is not known: {left[0]}")
        name = f"module{len(names) + 1}"
        names[path] = name
        parts.append(
            f"/* {path} */\nconst {name} = (() => {{\n{body}"
            f"return {{ {', '.join(exports)} }};\n}})();\n"
        )
        open_modules.pop()
        return name

    add(entry)
    return "".join(parts)
