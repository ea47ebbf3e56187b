"""`manage.py fold_rows`: delete the rows that no read can reach any more."""

from typing import Any

from apps import wiring
from apps.django_support.service_command import ServiceCommand
from apps.simulation.engine.deletion import fold_rows


class Command(ServiceCommand):
    help = (
        "Delete the rows of deleted simulations that their branches do not share. The log is "
        "kept. VACUUM gives the space to new rows."
    )

    def handle(self, *_args: Any, **_options: Any) -> None:
        deleted = fold_rows(wiring.ports())
        for table, count in sorted(deleted.items()):
            self.stdout.write(f"{table}: {count}")
        self.stdout.write(f"{deleted.total()} rows deleted")
