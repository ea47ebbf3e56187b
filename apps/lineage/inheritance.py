"""What a branch inherits of the rows of its ancestors: the declaration of each table."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Inheritance:
    """Which rows of a table a branch inherits, and which of their values.

    A branch inherits the rows whose column `begins` is a tick of the shared past. `set_later`
    has, by the column of the tick at which they are set, the other columns that are set with
    it, each with the SQL of its value before; a tick itself is NULL before. Values that were
    set after the shared past read as not set. `computed` has the SQL of columns that cannot be
    clipped so, where `l` is the lineage and `r` the row. `condition` excludes further rows.

    `ends` is the column of `set_later` after which a row does not change any more. With
    `is_current_copied` only the rows that have ended are inherited, and the fork copies the
    others. This is for the few rows that every turn reads.
    """

    begins: str
    set_later: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    computed: Mapping[str, str] = field(default_factory=dict)
    condition: str = "true"
    ends: str = ""
    is_current_copied: bool = False
