"""`manage.py reembed SIMULATION`: store vectors of its memories under another embedding."""

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError

from apps.django_support.service_command import ServiceCommand
from apps.kernel.errors import SmallvilleError
from apps.kernel.followed_items import followed
from apps.llm.model_spec import OFFLINE
from apps.simulation import queries
from apps.simulation.requested_retrieval import other_embedding, store_vectors_of_memories


class Command(ServiceCommand):
    help = (
        "Store the vectors of a simulation's memories under another embedding model, for "
        "retrievals on request. The history does not change."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("simulation", type=UUID)
        parser.add_argument("--server", default=OFFLINE, help="default: offline")
        parser.add_argument("--model", required=True, help="the name of the embedding model")
        parser.add_argument("--dimensions", type=int, required=True)

    def handle(self, *_args: Any, **options: Any) -> None:
        stored = 0
        try:
            row = queries.get_simulation(options["simulation"])
            embedding = {
                "embedding_server": options["server"],
                "embedding_model": options["model"],
                "embedding_dimensions": options["dimensions"],
            }
            model = other_embedding(queries.model_of(row.pk), embedding)
            for stored in followed(store_vectors_of_memories(row, model), "batch"):  # noqa: B007 (the last counts)
                pass
        except SmallvilleError as error:
            raise CommandError(f"{error.message} ({stored} vectors are stored)") from error
        self.stdout.write(f"{stored} vectors of {options['model']} are stored")
