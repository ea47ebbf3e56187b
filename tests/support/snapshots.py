"""Simulations at a moment for tests whose subject is not how they came there.

Each is simulated once by the processes of a test run. Its rows are kept in a file that all of
them read, and written back with a new id.
"""

import hashlib
import os
import pickle
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from django.db import connection, transaction

from apps.embedded_postgres import locks
from apps.simulation.models import SimulationRow
from tests.support.towns import found, live

COLUMNS = """
    SELECT table_name, string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position),
        bool_or(column_name = 'simulation_id'),
        coalesce(max(column_name) FILTER (WHERE is_identity = 'YES'), '')
    FROM information_schema.columns
    JOIN information_schema.tables USING (table_schema, table_name)
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND is_generated = 'NEVER'
        AND table_name !~ '^(auth|access|django)_'
    GROUP BY table_name ORDER BY table_name
"""


class IdsInUse(Exception):
    """Another simulation in the database has rows with the ids of the snapshot."""


@dataclass(frozen=True, slots=True)
class KeptTable:
    """The rows of a table in the text format of COPY."""

    name: str
    columns: str
    rows: bytes
    is_of_simulation: bool
    identity: str
    """The column that the database numbers; "" if none is."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All rows of a database with one simulation."""

    simulation_id: UUID
    tables: tuple[KeptTable, ...]


def simulated(until: str, **specification: Any) -> SimulationRow:
    """Return a simulation as `live(found(**specification), until)` does.

    :param until: a game time such as "2023-02-13T10:00".
    """
    kind = hashlib.sha256(repr(sorted(specification.items())).encode()).hexdigest()
    folder = Path(os.environ["TESTS_FOLDER"]) / kind
    folder.mkdir(exist_ok=True)
    moment = datetime.fromisoformat(until).isoformat()
    with locks.exclusive(folder / "lock"):
        earlier = [path for path in folder.glob("*T*") if path.name <= moment]
        try:
            row = _restored(max(earlier)) if earlier else found(**specification)
        except IdsInUse:
            row = found(**specification)
        if folder / moment in earlier and row.committed_tick > 0:
            return row
        row = live(row, until)
        if SimulationRow.objects.count() == 1:
            (folder / moment).write_bytes(pickle.dumps(_taken(row)))
    return row


def _taken(row: SimulationRow) -> Snapshot:
    tables = []
    with connection.cursor() as cursor:
        cursor.execute(COLUMNS)
        for name, columns, is_of_simulation, identity in cursor.fetchall():
            with cursor.copy(f"COPY {name} ({columns}) TO STDOUT") as copy:
                rows = b"".join(bytes(block) for block in copy)
            if rows:
                tables.append(KeptTable(name, columns, rows, is_of_simulation, identity))
    return Snapshot(row.pk, tuple(tables))


def _restored(path: Path) -> SimulationRow:
    """Write the rows of a snapshot under a new id; rows that all simulations share may exist.

    :raises IdsInUse: if a row of the simulation cannot have its id.
    """
    snapshot: Snapshot = pickle.loads(path.read_bytes())  # noqa: S301
    simulation_id = uuid4()
    with transaction.atomic(), connection.cursor() as cursor:
        for table in snapshot.tables:
            rows = table.rows
            for written in (str, lambda value: value.hex):
                rows = rows.replace(
                    written(snapshot.simulation_id).encode(), written(simulation_id).encode()
                )
            cursor.execute(f"CREATE TEMP TABLE kept (LIKE {table.name}) ON COMMIT DROP")
            with cursor.copy(f"COPY kept ({table.columns}) FROM STDIN") as copy:
                copy.write(rows)
            cursor.execute(
                f"INSERT INTO {table.name} ({table.columns}) "  # noqa: S608
                f"SELECT {table.columns} FROM kept ON CONFLICT DO NOTHING"
            )
            if table.is_of_simulation and cursor.rowcount != rows.count(b"\n"):
                raise IdsInUse(table.name)
            if table.identity:
                # A content that another simulation has stored already has another number.
                cursor.execute(
                    f"SELECT {table.identity} FROM kept "  # noqa: S608
                    f"EXCEPT SELECT {table.identity} FROM {table.name}"
                )
                if cursor.fetchall():
                    raise IdsInUse(table.name)
                # What follows is numbered after these: a log is read in the order of numbers.
                numbers = f"pg_get_serial_sequence('{table.name}', '{table.identity}')"
                last = f"greatest(max({table.identity}), nextval({numbers}))"
                cursor.execute(f"SELECT setval({numbers}, {last}) FROM {table.name}")  # noqa: S608
            cursor.execute("DROP TABLE kept")
    return SimulationRow.objects.get(pk=simulation_id)
