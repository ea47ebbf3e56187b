"""The parts of prompts as rows, and the messages that they make up.

A prompt is stored as a list of messages, each of which is its role and the ids of its parts:
`[["system", 1], ["user", 2, 3, 4]]`. The parts of a message together are its content.
"""

import zlib
from collections.abc import Sequence
from hashlib import sha256
from typing import ClassVar

from django.db import models

PromptJson = list[list[str | int]]
MessagesJson = list[dict[str, str]]


class PromptPartRow(models.Model):
    """A part of prompts, stored once by content; all simulations share the parts.

    `content` is the text in UTF-8, compressed by zlib; `sha256` is that of the text.
    """

    sha256 = models.BinaryField()
    content = models.BinaryField()

    class Meta:
        """Unique by content."""

        verbose_name = "part of prompts"
        verbose_name_plural = "parts of prompts"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["sha256"], name="prompt_part_once")
        ]

    def __str__(self) -> str:
        return bytes(self.sha256).hex()[:12]


def read_prompts(prompts: Sequence[PromptJson]) -> list[MessagesJson]:
    """Return the messages of the stored prompts, {role, content} each, by one query."""
    wanted = {part for prompt in prompts for _, *parts in prompt for part in parts}
    rows = PromptPartRow.objects.filter(pk__in=wanted).values_list("pk", "content")
    texts = {pk: unpacked(content) for pk, content in rows}
    return [
        [
            {"role": str(role), "content": "".join(texts[int(part)] for part in parts)}
            for role, *parts in prompt
        ]
        for prompt in prompts
    ]


def part_key(text: str) -> bytes:
    """Return the key of a part: the sha256 of its text."""
    return sha256(_encoded(text)).digest()


def packed(text: str) -> bytes:
    """Return the text as the rows have it."""
    return zlib.compress(_encoded(text))


def unpacked(content: bytes | memoryview) -> str:
    """Return the text of a row."""
    return zlib.decompress(content).decode("utf-8", "surrogatepass")


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
