"""The HTTP status of each class of errors, and when a request can be repeated."""

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
    ServiceStopping,
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
from apps.evaluation.news_searches.queries import NewsSearchNotFinished
from apps.evaluation.questionnaires.typed_questions import QuestionnaireExists
from apps.evaluation.rankings.queries import NotRankedByPeople
from apps.evaluation.rankings.ranking_plan import SurveyNotFinished
from apps.kernel.errors import DomainError, NotFound
from apps.llm.port import BudgetSpent, ModelMisconfigured, ModelUnavailable
from apps.replays.commands import ReplayInProgress
from apps.simulation.commands.add_agent import NameTaken
from apps.simulation.commands.command_log import TickPast
from apps.simulation.commands.embodiments import (
    AlreadyEmbodied,
    EmbodimentOver,
    NeedsPace,
    NotYourEmbodiment,
)
from apps.simulation.commands.remove_agent import Embodied, LastAgent
from apps.simulation.engine.deletion import HasBranches
from apps.simulation.engine.lifecycle import CannotRun, StillRunning
from apps.simulation.queries import WorldChanged
from apps.simulation.turn.preparation import SimulationPreparing
from apps.work.kinds import WorkNotPaused, WorkOver, WorkStopped
from apps.world.problems import AgentNotInWorld, UnknownPlace, UnknownWorld

# The first class that an error is an instance of gives the status; others are unprocessable.
# An unknown name in a body is unprocessable, an unknown name in a path is not found.
ERRORS_OF_STATUS: dict[HTTPStatus, tuple[type[DomainError], ...]] = {
    HTTPStatus.UNPROCESSABLE_ENTITY: (UnknownWorld, AgentNotInWorld, UnknownPlace),
    HTTPStatus.BAD_REQUEST: (MalformedBody,),
    HTTPStatus.LENGTH_REQUIRED: (LengthRequired,),
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: (BodyTooLarge,),
    HTTPStatus.REQUEST_URI_TOO_LONG: (AddressTooLong,),
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE: (HeadersTooLarge,),
    HTTPStatus.REQUEST_TIMEOUT: (RequestTimeout,),
    HTTPStatus.SERVICE_UNAVAILABLE: (
        TooManyConnections,
        ServiceStopping,
        ModelUnavailable,
        StreamsTaken,
        DownloadsTaken,
    ),
    HTTPStatus.NOT_FOUND: (NotFound,),
    HTTPStatus.FORBIDDEN: (NotAllowed, NotYourEmbodiment),
    HTTPStatus.CONFLICT: (
        RequestInProgress,
        AlreadyMember,
        TooManyMembers,
        FounderStays,
        CannotRun,
        StillRunning,
        SimulationPreparing,
        WorldChanged,
        NameTaken,
        LastAgent,
        Embodied,
        AlreadyEmbodied,
        EmbodimentOver,
        NeedsPace,
        TickPast,
        BudgetSpent,
        ReplayInProgress,
        WorkNotPaused,
        WorkOver,
        WorkStopped,
        SurveyNotFinished,
        NewsSearchNotFinished,
        NotRankedByPeople,
        QuestionnaireExists,
        HasBranches,
    ),
    HTTPStatus.PRECONDITION_FAILED: (VersionPassed,),
    HTTPStatus.BAD_GATEWAY: (ModelMisconfigured,),
    HTTPStatus.TOO_MANY_REQUESTS: (TooManyStreams, TooManyDownloads),
    HTTPStatus.NOT_IMPLEMENTED: (StreamsNeedAsgi,),
}


def status_of(kind: type[DomainError]) -> HTTPStatus:
    """Return the status of the errors of a class."""
    found = (s for s, kinds in ERRORS_OF_STATUS.items() if issubclass(kind, kinds))
    return next(found, HTTPStatus.UNPROCESSABLE_ENTITY)


RETRY_AFTER_SECONDS: dict[type[DomainError], int] = dict.fromkeys(
    (
        TooManyConnections,
        ServiceStopping,
        TooManyStreams,
        StreamsTaken,
        TooManyDownloads,
        DownloadsTaken,
    ),
    5,
)
"""After how many seconds a request with such an error can be repeated."""
