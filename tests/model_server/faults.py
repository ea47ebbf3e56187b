"""What a model server can do wrong with one request."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Status:
    """Answers with an error."""

    code: int
    message: str = "the server is not in the mood"
    param: str | None = None
    headers: dict[str, str] = field(default_factory=dict)
    code_word: str | None = None


@dataclass(frozen=True, slots=True)
class Says:
    """Answers with this text, whatever was asked; `cut` says that the limit ended it."""

    text: str
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Body:
    """Answers 200 with this body instead of a completion."""

    text: str
    content_type: str = "application/json"


@dataclass(frozen=True, slots=True)
class Reply:
    """Answers with this status and body, whatever they are."""

    text: str
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Delay:
    """Answers rightly, but only after so many seconds, or when the server closes."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Drop:
    """Ends the connection; after so many bytes of the answer, when it is given."""

    after_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Trickle:
    """Sends its answer a byte at a time, with so many seconds in between, and no end."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Flood:
    """Sends so many bytes in pieces, and no length beforehand."""

    size: int


Fault = Status | Says | Body | Reply | Delay | Drop | Trickle | Flood

# An error that the client retries at once: it obeys this header instead of waiting longer.
AT_ONCE = {"retry-after-ms": "1"}
NONSENSE = Says("la la la, I am a teapot")
UNPARSED = Status(
    500, "The model produced output that does not match the expected peg-native format"
)
FILTERED = Status(400, "the prompt triggered the content filter", code_word="content_filter")
BEYOND_CONTEXT = Status(
    400, "maximum context length is 4096 tokens, the messages have 5000 input tokens"
)
HALF_A_BODY = Body('{"id": "completion-1", "choices": [{"message": {"role": "assist')
NO_CHOICES = Body('{"id": "completion-1", "object": "chat.completion", "choices": []}')
IN_PROSE = "Sure! Here it is:\n```json\n{answer}\n```\nAnything else?"


def busy() -> Status:
    """Return the answer of a server with too much to do."""
    return Status(429, "slow down", headers=AT_ONCE)


def broken() -> Status:
    """Return the answer of a server that fell over."""
    return Status(500, "oh dear", headers=AT_ONCE)
