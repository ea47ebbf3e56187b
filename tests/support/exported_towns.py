"""A town with a conversation, whose exports tests read."""

import io
import zipfile
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from apps.archives.exports import Exporter, write_zip
from apps.simulation.models import SimulationRow
from tests.support.towns import answering, found, live

SPEAKERS = ("Isabella Rodriguez", "Sam Moore")
AFTER_THEIR_TALK = "2023-02-13T10:30"


def write_folder(row: SimulationRow, exporter: Exporter, folder: Path) -> list[Path]:
    """Unpack an export into the folder; return the paths of its files."""
    file = zipfile.ZipFile(io.BytesIO(b"".join(write_zip(row, exporter))))
    file.extractall(folder)
    return [folder / name for name in file.namelist()]


class Nonsense(BaseModel):
    """An answer that is not valid."""

    importances: list[str] = ["very"]


def town_with_a_talk() -> SimulationRow:
    """Give a morning in which Sam tells Isabella his news.

    No answer about the importance of memories is valid, so that there are fallbacks.
    """

    def nonsense(*_inputs: Any) -> Nonsense:
        return Nonsense()

    ports = answering({"memory.importance": nonsense})
    row = found(seed=10, agents=SPEAKERS, ports=ports)
    return live(row, AFTER_THEIR_TALK, ports=ports)
