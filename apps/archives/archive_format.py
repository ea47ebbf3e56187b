"""The format of archives: the members of the file, their lines, and the manifest.

An archive is a ZIP file with members of JSON Lines, see docs/reference/archives.md. All lines
are validated when an archive is read; unknown fields are an error, so that nothing is lost
silently.
"""

import re
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from apps.kernel.errors import DomainError
from apps.kernel.requested_values import Seed, Tick

FORMAT = "smallville-simulation"
VERSION = 1

MANIFEST = "manifest.json"
EVENTS = "events.jsonl"
MODEL_CALLS = "model_calls.jsonl"
EMBEDDING_CALLS = "embedding_calls.jsonl"
PROMPT_PARTS = "prompt_parts.jsonl"
EMBEDDINGS = "embeddings.jsonl"
LINES = (EVENTS, MODEL_CALLS, PROMPT_PARTS, EMBEDDING_CALLS, EMBEDDINGS)
WORLD = "world/"
WORLD_FILE = re.compile(
    r"world/(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*/){0,4}[A-Za-z0-9_-][A-Za-z0-9_.-]*"
)

Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Count = Annotated[int, Field(ge=0, le=2**31 - 1)]


def _printable(name: str) -> str:
    """Return a name in one line without control characters, as requests give it."""
    if not name.strip() or not name.isprintable():
        raise ValueError("must be a line of printable characters")
    return name


class ArchiveInvalid(DomainError):
    """The file is no archive of a simulation, or it is damaged."""


class ArchiveVersionUnknown(DomainError):
    """The archive has another version of the format than this installation reads."""


class ArchiveLine(BaseModel):
    """What all lines of archives have in common."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=False)


class EventLine(ArchiveLine):
    """An event of the log; lines are in canonical order."""

    tick: Tick
    stream: Annotated[str, Field(min_length=1, max_length=120)]
    ordinal: Count
    type: Annotated[str, Field(max_length=80)]
    data: dict[str, Any]
    cause: Annotated[str, Field(max_length=160)]
    model_calls: list[str]
    recorded_at: datetime


class AnsweredLine(ArchiveLine):
    """What lines of calls have in common: the turn, what answered, and what that used."""

    tick: Tick
    stream: Annotated[str, Field(max_length=120)]
    server: Annotated[str, Field(max_length=80)]
    model: Annotated[str, Field(max_length=200)]
    served_model: Annotated[str, Field(max_length=200)]
    system_fingerprint: Annotated[str, Field(max_length=200)]
    server_version: Annotated[str, Field(max_length=200)]
    prompt_tokens: Count
    latency_ms: Count
    cost: Decimal
    recorded_at: datetime


class CallLine(AnsweredLine):
    """A model call; `prompt` has the messages, each its role and the sha256 of its parts."""

    task: Annotated[str, Field(max_length=80)]
    ordinal: Count
    call_id: Annotated[str, Field(max_length=240)]
    request_sha256: Annotated[str, Field(max_length=64)]
    wording_version: Annotated[str, Field(max_length=40)]
    prompt: list[list[str]]
    answer: dict[str, Any]
    outcome: Annotated[str, Field(max_length=12)]
    fallback: Annotated[str, Field(max_length=80)]
    attempts: list[dict[str, Any]]
    differences: list[dict[str, Any]]
    cached_prompt_tokens: Count
    completion_tokens: Count
    billed_equivalent_tokens: Count


class EmbeddingCallLine(AnsweredLine):
    """A request for vectors."""

    texts: Count
    characters: Count
    setbacks: list[str]


class PartLine(ArchiveLine):
    """A part of prompts."""

    sha256: Sha256
    text: str


class EmbeddingLine(ArchiveLine):
    """The vector of a text: half floats, little-endian, in base64."""

    model: Annotated[str, Field(max_length=200)]
    dimensions: Annotated[int, Field(ge=1)]
    text_sha256: Sha256
    vector: str


class Member(ArchiveLine):
    """A member of the archive: its bytes unpacked, their hash, and the lines (0 of a file)."""

    bytes: Annotated[int, Field(ge=0)]
    sha256: Sha256
    lines: Annotated[int, Field(ge=0)]


class SimulationOfArchive(ArchiveLine):
    """The simulation: its identity, its name, its models and the committed tick."""

    id: UUID
    name: Annotated[str, Field(min_length=1, max_length=120), AfterValidator(_printable)]
    world: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]*$", max_length=120)]
    seed: Seed
    model: dict[str, Any]
    committed_tick: Tick
    created_at: datetime


class Manifest(ArchiveLine):
    """The content of an archive; the last member of the file.

    `log_sha256` is the hash of the events, which an import computes again.
    """

    format: Literal["smallville-simulation"]
    version: int
    written_by: str
    simulation: SimulationOfArchive
    log_sha256: Sha256
    members: dict[str, Member]

    @property
    def lines(self) -> int:
        """The lines of all members."""
        return sum(member.lines for member in self.members.values())
