"""Imports: archives that become simulations, requested, listed, shown."""

from hashlib import file_digest
from http import HTTPStatus
from tempfile import SpooledTemporaryFile
from typing import Any, ClassVar
from uuid import UUID, uuid5

from django.db.models import QuerySet
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps import wiring
from apps.access.rights import Right
from apps.api.http.fields import ResourceURL, Serializer, Strict
from apps.api.http.lists import list_parameters, page_of_items
from apps.api.http.parsers import ARCHIVE_TYPE, ArchiveParser, ZipParser
from apps.api.http.views import FOUNDING, ApiView, operation
from apps.api.resources.simulation_forms import Simulation
from apps.api.resources.simulations import located_response
from apps.api.resources.work import (
    PREFER,
    OfKind,
    Work,
    WorkList,
    WorkView,
    prefers_async,
    views_of_work,
)
from apps.archives.archive_format import ArchiveInvalid, ArchiveVersionUnknown
from apps.archives.archive_reading import Archive
from apps.archives.imports import IMPORTS, TooManyImports, request_import
from apps.llm.model_spec import UnknownModel
from apps.simulation.queries import WorldChanged
from apps.world.problems import UnknownWorld

_OF_KEYS = UUID("b3b6a6f4-6d0c-4f0e-9c53-9d8c2f6c5c0e")
_BODY = {ARCHIVE_TYPE: OpenApiTypes.BINARY}


class ImportedArchive(Work):
    """An import, and the simulation once it is there."""

    id = serializers.UUIDField()
    status_url = ResourceURL("getImport", import_id="id")
    name = serializers.CharField(help_text="That of the simulation in the archive.")
    bytes = serializers.IntegerField(min_value=1)
    simulation = serializers.UUIDField(
        source="simulation_id", allow_null=True, help_text="Its id; null until it is imported."
    )


class ImportEstimate(Serializer):
    """What an import of an archive would read; it calls no model and costs nothing."""

    name = serializers.CharField()
    world = serializers.CharField()
    seed = serializers.IntegerField()
    committed_tick = serializers.IntegerField(min_value=0)
    lines = serializers.IntegerField(min_value=0)


class _ArchiveView(ApiView):
    """A view whose body is an archive."""

    parser_classes = (ArchiveParser, ZipParser)
    _file: SpooledTemporaryFile[bytes] | None = None

    def canonical_body(self) -> bytes:
        """Return the hash of the file, by which repeated requests are recognised."""
        return file_digest(self.sent_file(), "sha256").digest()

    def finalize_response(
        self, request: Request, response: Any, *args: Any, **kwargs: Any
    ) -> Any:
        """Close the file when the response is made."""
        if self._file is not None:
            self._file.close()
        return super().finalize_response(request, response, *args, **kwargs)

    def sent_file(self) -> SpooledTemporaryFile[bytes]:
        """Return the file, to be read from its beginning.

        :raises ArchiveInvalid: if the body is empty.
        """
        sent: Any = self.request.data
        if not isinstance(sent, SpooledTemporaryFile):
            raise ArchiveInvalid("the body is empty; send the file")
        self._file = sent
        sent.seek(0)
        return sent


class _ImportView(OfKind):
    kind = IMPORTS
    shown_as = ImportedArchive


class Imports(WorkList, _ArchiveView, _ImportView):
    """Imports of archives."""

    query = list_parameters("name, reason", "recorded_at", default="-recorded_at")
    searched: ClassVar = {"name": "name", "reason": "reason"}
    rate_limits: ClassVar = {"POST": FOUNDING}
    waits_for_llm = True

    def rows(self) -> QuerySet[Any]:
        """Return the imports of the user."""
        return self.kind.rows.filter(owner=self.user)

    @operation("listImports", "/imports", "simulations", page_of_items(ImportedArchive))
    def get(self, request: Request) -> HttpResponseBase:
        """List your imports, by default the latest first."""
        return self.listed()

    @operation(
        "importSimulation",
        "/imports",
        "simulations",
        {201: Simulation, 202: ImportedArchive},
        request=_BODY,
        parameters=[PREFER],
        errors=(
            ArchiveInvalid,
            ArchiveVersionUnknown,
            TooManyImports,
            UnknownModel,
            UnknownWorld,
            WorldChanged,
        ),
    )
    def post(self, request: Request) -> Response:
        """Import an archive as a new simulation of yours.

        The body is the file. The simulation has a new id, the same history and the same
        `log_sha256`, and is paused. Its world must be one of this service. The import is
        background work, which this request carries out, unless it prefers 202. If it is stopped
        by a world or a model that is missing here, the file is kept: resume the import then.
        """
        import_id = None
        if (key := self.idempotent_request) is not None:
            import_id = uuid5(_OF_KEYS, f"{key.user_id} {key.key} {key.fingerprint}")
        row = request_import(self.sent_file(), owner=self.user, import_id=import_id)
        if prefers_async(request):
            return self.accepted_at_once(row)
        self.kind.carry_out(wiring.ports(), row.pk)
        row = self.kind.get(row.pk)
        if row.simulation is None:  # another process is at it, or it was stopped
            return self.accepted(row)
        return located_response(self, row.simulation, HTTPStatus.CREATED)


class ImportEstimates(_ArchiveView):
    """The estimate of an import."""

    query = Strict
    rights: ClassVar = {"POST": Right.READ}

    @operation(
        "estimateImport",
        "/imports/estimate",
        "simulations",
        ImportEstimate,
        request=_BODY,
        errors=(ArchiveInvalid, ArchiveVersionUnknown),
    )
    def post(self, request: Request) -> Response:
        """Show what the import of an archive would read, without importing it."""
        manifest = Archive(self.sent_file()).manifest
        values = vars(manifest.simulation) | {"lines": manifest.lines}
        return Response(self.represent(ImportEstimate, values))


class ImportView(_ImportView, WorkView):
    """A view of one import of the user."""

    address: ClassVar[str] = "/api/v1/imports/{import_id}"
    parameter = "import_id"

    def found_by(self, **_names: str) -> dict[str, Any]:
        """Return the owner."""
        return {"owner": self.user}


VIEWS = views_of_work(ImportView, tag="simulations")
