#!/usr/bin/env python3
"""Shows a JSON document of the standard input for the guides: whole, single members, or rows."""

import json
import signal
import sys
from typing import Any


def member(document: Any, path: str) -> Any:
    """Return the member at a path such as `results.0.name`; exit with the problem if it has none."""
    value = document
    for name in filter(None, path.split(".")):
        try:
            value = value[int(name) if isinstance(value, list) else name]
        except (KeyError, IndexError, TypeError, ValueError):
            sys.exit(f"there is no {path} in {json.dumps(document, ensure_ascii=False)}")
    return value


def words(value: Any) -> str:
    """Return a text as it is, any other value as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def main() -> None:
    """Read the document, and print what is named."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `show | head` ends without a traceback
    form, *paths = sys.argv[1:]
    content = sys.stdin.buffer.read()
    try:
        document = json.loads(content)
    except ValueError:  # no single document: CSV, JSON Lines, SVG, a file
        if form != "show":
            sys.exit(f"the answer is no document: {content[:200]!r}")
        sys.stdout.buffer.write(content)
        return
    if form == "show":
        print(json.dumps(document, indent=4, ensure_ascii=False))
    elif form == "pick":
        for path in paths:
            print(words(member(document, path)))
    else:
        for entry in member(document, paths[0]):
            print(*(words(member(entry, path)) for path in paths[1:] or [""]), sep="  ")


if __name__ == "__main__":
    main()
