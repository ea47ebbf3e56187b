"""Commands that read or write a whole history say how far they are."""

from collections.abc import Iterable, Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from apps import wiring
from apps.archives.exporting import write_archive
from apps.kernel.followed_items import followed, follower
from tests.support.towns import found, live

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def counts() -> Iterator[dict[str, int]]:
    """Give the numbers of the items that were followed, by their nouns."""
    seen: dict[str, int] = {}

    def follow(items: Iterable[Any], noun: str, _total: int | None) -> Iterable[Any]:
        for item in items:
            seen[noun] = seen.get(noun, 0) + 1
            yield item

    token = follower.set(follow)
    yield seen
    follower.reset(token)


def test_work_without_a_command_is_not_followed() -> None:
    items = [1, 2]
    assert followed(items, "item") is items


def test_commands_count_what_they_have_done(tmp_path: Path, counts: dict[str, int]) -> None:
    row = live(found(), "2023-02-13T00:10")
    id_, archive = str(row.pk), str(tmp_path / "town.zip")
    Path(archive).write_bytes(b"".join(write_archive(wiring.ports(), row)))
    assert counts["page"] >= 1
    commands: list[tuple[tuple[str, ...], str]] = [
        (("import", archive, "--new-id"), "line of events.jsonl"),
        (("check_log", id_), "event"),
        (("rebuild", id_), "event"),
    ]
    for arguments, noun in commands:
        counts.clear()
        told = StringIO()
        call_command(*arguments, stdout=told)
        assert counts[noun] >= 1, arguments
        if arguments[0] == "import":
            assert "until 2023-02-13T00:10:00 (tick 60)" in told.getvalue()
