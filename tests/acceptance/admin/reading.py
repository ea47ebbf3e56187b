"""Reads pages as a visitor does: the links in their main part, and the text."""

import re
from html.parser import HTMLParser
from urllib.parse import urljoin


class Page(HTMLParser):
    """The links of a page with their labels, in order."""

    def __init__(self, text: str, address: str = "/") -> None:
        super().__init__()
        self.links: list[tuple[str, str]] = []
        self.scripts: list[str | None] = []
        self.styled = 0
        self._address, self._href = address, ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.styled += "style" in values
        if tag == "script":
            self.scripts.append(values.get("src"))
        if tag == "a" and values.get("href"):
            self._href = urljoin(self._address, values["href"] or "")
            self.links.append((self._href, ""))

    def handle_data(self, data: str) -> None:
        if self._href:
            href, label = self.links.pop()
            self.links.append((href, label + data))

    def handle_endtag(self, tag: str) -> None:
        if tag == "a":
            self._href = ""

    def to(self, part: str, label: str = "") -> str:
        """Return the first address that matches a pattern, whose label has the text."""
        return next(
            href for href, text in self.links if re.search(part, href) and label in text
        )
