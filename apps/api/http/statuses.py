"""The table that says which status a refusal has."""

from http import HTTPStatus

from apps.access.idempotency import RequestInProgress
from apps.access.membership import AlreadyMember, FounderStays, TooManyMembers
from apps.access.rights import NotAllowed
from apps.api.http.request_errors import (
    AddressTooLong,
    BodyTooLarge,
    HeadersTooLarge,
    LengthRequired,
    MalformedBody,
    RequestTimeout,
    TooManyConnections,
    VersionPassed,
)
from apps.api.http.slots import (
    DownloadsTaken,
    StreamsNeedAsgi,
    StreamsTaken,
    TooManyDownloads,
    TooManyStreams,
)
from apps.kernel.errors import NotFound, Refusal
from apps.llm.port import BudgetSpent, ModelMisconfigured, ModelUnavailable
from apps.simulation.commands.command_log import TickPast
from apps.simulation.commands.embodying import (
    AlreadyEmbodied,
    EmbodimentOver,
    NeedsPace,
    NotYourEmbodiment,
)
from apps.simulation.commands.residency import Embodied, LastPerson, NameTaken
from apps.simulation.engine.lifecycle import CannotRun, StillRunning
from apps.simulation.queries import WorldChanged
from apps.simulation.turn.preparation import SimulationPreparing
from apps.world.errors import UnknownPerson, UnknownPlace, UnknownWorld

# The first class that a refusal is an instance of gives the status. What a body names and
# there is not is unprocessable; what the address names and there is not is not found.
STATUS_OF_REFUSALS: tuple[tuple[type[Refusal], HTTPStatus], ...] = (
    (MalformedBody, HTTPStatus.BAD_REQUEST),
    (LengthRequired, HTTPStatus.LENGTH_REQUIRED),
    (BodyTooLarge, HTTPStatus.REQUEST_ENTITY_TOO_LARGE),
    (UnknownWorld, HTTPStatus.UNPROCESSABLE_ENTITY),
    (UnknownPerson, HTTPStatus.UNPROCESSABLE_ENTITY),
    (UnknownPlace, HTTPStatus.UNPROCESSABLE_ENTITY),
    (AddressTooLong, HTTPStatus.REQUEST_URI_TOO_LONG),
    (HeadersTooLarge, HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE),
    (RequestTimeout, HTTPStatus.REQUEST_TIMEOUT),
    (TooManyConnections, HTTPStatus.SERVICE_UNAVAILABLE),
    (NotFound, HTTPStatus.NOT_FOUND),
    (NotAllowed, HTTPStatus.FORBIDDEN),
    (RequestInProgress, HTTPStatus.CONFLICT),
    (AlreadyMember, HTTPStatus.CONFLICT),
    (TooManyMembers, HTTPStatus.CONFLICT),
    (FounderStays, HTTPStatus.CONFLICT),
    (VersionPassed, HTTPStatus.PRECONDITION_FAILED),
    (CannotRun, HTTPStatus.CONFLICT),
    (StillRunning, HTTPStatus.CONFLICT),
    (SimulationPreparing, HTTPStatus.CONFLICT),
    (WorldChanged, HTTPStatus.CONFLICT),
    (NameTaken, HTTPStatus.CONFLICT),
    (LastPerson, HTTPStatus.CONFLICT),
    (Embodied, HTTPStatus.CONFLICT),
    (AlreadyEmbodied, HTTPStatus.CONFLICT),
    (EmbodimentOver, HTTPStatus.CONFLICT),
    (NeedsPace, HTTPStatus.CONFLICT),
    (NotYourEmbodiment, HTTPStatus.FORBIDDEN),
    (TickPast, HTTPStatus.CONFLICT),
    (BudgetSpent, HTTPStatus.CONFLICT),
    (ModelMisconfigured, HTTPStatus.BAD_GATEWAY),
    (ModelUnavailable, HTTPStatus.SERVICE_UNAVAILABLE),
    (TooManyStreams, HTTPStatus.TOO_MANY_REQUESTS),
    (StreamsTaken, HTTPStatus.SERVICE_UNAVAILABLE),
    (TooManyDownloads, HTTPStatus.TOO_MANY_REQUESTS),
    (DownloadsTaken, HTTPStatus.SERVICE_UNAVAILABLE),
    (StreamsNeedAsgi, HTTPStatus.NOT_IMPLEMENTED),
    (Refusal, HTTPStatus.UNPROCESSABLE_ENTITY),
)


def status_of(kind: type[Refusal]) -> HTTPStatus:
    """Return the status of the errors of a class."""
    return next(status for base, status in STATUS_OF_REFUSALS if issubclass(kind, base))


# After how many seconds a request that is refused for now can be tried again.
RETRY_AFTER_SECONDS: tuple[tuple[type[Refusal], int], ...] = (
    (RequestInProgress, 1),
    (TooManyConnections, 5),
    (TooManyStreams, 5),
    (StreamsTaken, 5),
    (TooManyDownloads, 5),
    (DownloadsTaken, 5),
)
