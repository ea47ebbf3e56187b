"""Reads the errors of model servers: what they say, and what can be done about each.

Servers write their errors in many shapes, some inside a reply with status 200. All are read
here, by their whole body: to retry, to wait, to ask in another form, to let one call fall back,
or to pause the simulation with the cause and the fix.
"""

import email.utils
import json
import math
import re
import time
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

from apps.llm.cleaning import in_one_line
from apps.llm.port import ModelMisconfigured, ModelUnavailable
from apps.llm.servers.configuration import KEYLESS, Server
from apps.llm.servers.json_values import list_of, objects_in

DETAIL_CHARACTERS_MAX = 500
STATUSES_END = 600
OVERLOADED = 529  # Anthropic's, which others have taken over
KEY_STATUSES = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN})
MISSING_STATUSES = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED})
CHECK_MODELS = "check what its models take"
TRANSIENT_STATUSES = frozenset(
    {HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.CONFLICT, HTTPStatus.TOO_EARLY}
)
# Errors that pass when the server has time again: they are waited for, and are no failed tries.
BUSY_STATUSES = frozenset({HTTPStatus.TOO_MANY_REQUESTS, OVERLOADED})
BUSY_WORDS = ("loading model", "is currently loading", "model is loading")
# A limit of a day is not waited for, unless the server says how long.
DAILY_WORDS = ("per-day", "per day", "daily", "requests_per_day", "perday")
NO_MONEY_CODES = frozenset({"insufficient_quota", "billing_hard_limit_reached"})
NO_MONEY_WORDS = (
    "insufficient balance", "insufficient credit", "insufficient funds", "credit balance",
    "arrearage", "plan and billing", "out of credits",
)  # fmt: skip
# The server, or a filter before it, refuses the content of this prompt.
FILTER_WORDS = (
    "content_filter", "content filter", "content management policy", "content_policy",
    "responsibleaipolicyviolation", "data_inspection_failed", "datainspectionfailed",
    "inappropriate content", "invalid_prompt", "usage policies", "usage policy",
    "requires moderation", "input was flagged", "prompt was flagged", "content exists risk",
    "sensitive words", "sensitive_words", "prohibited_content", "content_moderation",
    "safety system", "unsafe content", "guardrail",
)  # fmt: skip
CONTEXT_WORDS = (
    "context length", "context_length", "context window", "context size", "context_size",
    "maximum context", "max_model_len", "maximum model length", "prompt is too long",
    "input is too long", "input too long", "too many tokens", "max_new_tokens",
    "request too large", "input token count", "maximum number of tokens",
)  # fmt: skip
TOO_LARGE_WORDS = (
    "too large",
    "at most",
    "less than or equal",
    "exceed",
    "supports",
    "between",
)
SCHEMA_WORDS = (
    "response_format", "json_schema", "schema", "grammar", "structured output", "guided",
    "json mode", "text.format",
)  # fmt: skip
# The model answered, and the server could not read the answer.
UNPARSED_WORDS = (
    "model produced output that does not match", "failed to parse the model",
    "json_validate_failed", "failed to generate json", "tool_use_failed",
)  # fmt: skip
_MODEL_WORDS = re.compile(
    r"model.{0,120}(not found|not exist|not loaded|unknown|not available|no access)"
    r"|(invalid|unknown|no) models?\b|deploymentnotfound|no such model",
    re.DOTALL,
)
# A server cannot embed a text or as many: a vector with NaN cannot be written as JSON.
NO_NUMBER_WORDS = ("unsupported value: nan", "not json compliant")
TEXT_WORDS = ("batch size", *NO_NUMBER_WORDS)

MILLISECONDS = 1_000.0
_UNITS = {"m": 60.0, "h": 3_600.0, "s": 1.0}
_DURATION = re.compile(
    r"(\d+(?:\.\d+)?)\s*(ms|milliseconds?|m(?:in(?:ute)?s?)?|h(?:ours?)?|s(?:ec(?:ond)?s?)?)(?![a-z])"
)
_WAIT_WORDS = re.compile(
    r"(?:try again|retry|retrydelay|wait)[^\d]{0,24}((?:[\d.]+\s*[a-z]+\s*){1,4})"
)
_EPOCH_MIN = 1_000_000_000  # a moment, not a duration
_TAG = re.compile(r"<(script|style)\b.*?</\1>|<[^>]+>", re.DOTALL | re.IGNORECASE)
# Providers name the key and the account in messages, which guests of a simulation read.
_KEY_LIKE = re.compile(r"\b(?:(?:sk|pk|key)-[\w\-*]{4,}|(?:org|proj|user)[-_]\w{12,})")
_MESSAGES = ("message", "msg", "error_msg", "errorMessage", "detail", "error", "title")
_MORE = ("metadata", "innererror", "details")
_REFUSING = frozenset(
    {
        HTTPStatus.BAD_REQUEST, HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED,
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
        HTTPStatus.UNPROCESSABLE_ENTITY, HTTPStatus.FAILED_DEPENDENCY,
    }
)  # fmt: skip
_LENGTH = re.compile(
    r"(?:context (?:length|window|size)(?: is| of)?(?: only)?|must be <=|n_ctx\W{1,3}|tokens >"
    r"|maximum of|limit(?: of)?:?|at most|less than or equal to|supports(?: only)?"
    r"|tokens allowed)\s*\(?(\d[\d,]*)|(\d[\d,]*) maximum context"
)
_PROMPT_LENGTH = re.compile(
    r"(\d[\d,]*) (?:in the messages|of text input|input tokens|prompt tokens|tokens >"
    r"|tokens from the input|\W?inputs\W? tokens)|n_prompt_tokens\W{1,3}(\d+)"
    r"|(?:prompt contains|input token count|requested tokens|input) \(?(\d[\d,]*)"
)


class ServerError(Exception):
    """An error that a server replied with; `told` is what it says, for people.

    `told` has the status and the message, without the key. `subject` is the message with what
    it is about, `body` the whole reply; both are in lower case, to be searched.
    """

    def __init__(
        self, status: int, headers: Mapping[str, str], text: str, server: Server
    ) -> None:
        data = _json_of(text)
        error = data.get("error", data)
        message = _message_of(error) or _message_of(data)
        fields = error if isinstance(error, dict) else {}
        self.codes = {
            str(fields.get(name) or data.get(name)).lower()
            for name in ("code", "type", "status")
        }
        self.status = status if status >= HTTPStatus.BAD_REQUEST else _status_in(fields, data)
        self.body = in_one_line(text).lower()
        self.failed_generation = str(fields.get("failed_generation") or "")
        more = {name: fields[name] for name in _MORE if fields.get(name)}
        shown = " ".join(filter(None, [message, json.dumps(more) if more else ""]))
        self.told = redact(
            f"{self.status}: {shown or _TAG.sub(' ', text) or 'no words'}", server
        )
        details = objects_in(data.get("detail"))
        places = [part for one in details for part in list_of(one.get("loc"))]
        self.subject = " ".join(
            map(str, filter(None, [fields.get("param"), *places, message or self.body]))
        ).lower()
        self.wait_seconds = _wait_seconds(headers, self.body)
        super().__init__(self.told)

    def names(self, words: Sequence[str]) -> bool:
        """Return whether the reply has one of the words."""
        return any(word in self.body for word in words)

    @property
    def is_about_money(self) -> bool:
        """Whether the account has no money left; some say the same of a limit that passes."""
        return (
            bool(self.codes & NO_MONEY_CODES)
            or self.status == HTTPStatus.PAYMENT_REQUIRED
            or (self.wait_seconds is None and self.names(NO_MONEY_WORDS))
        )

    @property
    def is_about_content(self) -> bool:
        """Whether the server refuses the content of this prompt."""
        return self.status not in BUSY_STATUSES and self.names(FILTER_WORDS)

    @property
    def is_about_length(self) -> bool:
        """Whether the prompt is too long, or the limit of the answer beside it too high."""
        is_about_limit = "max_tokens" in self.body or "max_completion_tokens" in self.body
        return self.may_be_conceded and (
            self.names(CONTEXT_WORDS) or (is_about_limit and self.names(TOO_LARGE_WORDS))
        )

    @property
    def is_about_model(self) -> bool:
        """Whether the server does not have the model."""
        return _MODEL_WORDS.search(self.body) is not None

    @property
    def is_unparsed_answer(self) -> bool:
        """Whether the model answered and the server could not read the answer."""
        return bool(self.failed_generation) or self.names(UNPARSED_WORDS)

    @property
    def is_busy(self) -> bool:
        """Whether the server has no time now, and will have it again."""
        if self.is_about_money or self.is_about_content:
            return False
        if self.status == HTTPStatus.SERVICE_UNAVAILABLE:
            return self.names(BUSY_WORDS) or self.wait_seconds is not None
        return self.status in BUSY_STATUSES and not self.is_about_day

    @property
    def is_about_day(self) -> bool:
        """Whether a limit of the day is reached, and the server does not say when it ends."""
        return self.wait_seconds is None and self.names(DAILY_WORDS)

    @property
    def is_transient(self) -> bool:
        """Whether the same request may succeed a little later."""
        if self.is_about_money or self.is_about_content or self.is_unparsed_answer:
            return False
        if self.status in TRANSIENT_STATUSES or self.is_busy:
            return True
        is_servers = self.status >= HTTPStatus.INTERNAL_SERVER_ERROR
        is_about_request = self.status == HTTPStatus.NOT_IMPLEMENTED or self.names(
            (*CONTEXT_WORDS, *SCHEMA_WORDS, *TEXT_WORDS)
        )
        return is_servers and not is_about_request

    @property
    def may_be_conceded(self) -> bool:
        """Whether the request may succeed without a parameter."""
        return self.status in _REFUSING or self.status >= HTTPStatus.INTERNAL_SERVER_ERROR

    def lengths(self) -> tuple[int | None, int | None]:
        """Return the tokens that the server takes, and those of the prompt, as it says."""
        return _first_number(_LENGTH, self.body), _first_number(_PROMPT_LENGTH, self.body)


def unavailable(
    server: Server, setbacks: Sequence[str], why: str, setting: str = ""
) -> ModelUnavailable:
    """Return the error for a server that does not answer, with the setting it is about."""
    return ModelUnavailable(
        f"the model server {server.name!r} does not answer ({setbacks[-1]}; {why}); "
        "ensure that it runs and is not overloaded, then run the simulation again",
        model=server.name,
        setting=setting,
        setbacks=tuple(setbacks),
    )


def misconfigured(
    error: ServerError, server: Server, setbacks: Sequence[str], hint: str = ""
) -> ModelMisconfigured:
    """Return the error for a server that refuses the request, with a hint."""
    usual_hint, setting = _hint(error)
    return ModelMisconfigured(
        f"the model server {server.name!r} refuses ({error.told}); {hint or usual_hint}, "
        "then run the simulation again",
        model=server.name,
        setting=setting,
        setbacks=(*setbacks, error.told),
    )


def redact(detail: str, server: Server) -> str:
    """Return the server's message in one line, shortened and without the API key."""
    text = in_one_line(detail)
    if len(server.api_key) > len(KEYLESS):
        text = text.replace(server.api_key, "[key]")
    return _KEY_LIKE.sub("[key]", text)[:DETAIL_CHARACTERS_MAX]


def _hint(error: ServerError) -> tuple[str, str]:
    """Return what to do about the error, and the setting: the first that apply."""
    status = error.status
    hints = {
        ("put money into the account of its api_key, or take another", "api_key"): (
            error.is_about_money
        ),
        ("take another model, or wait until the day of this limit is over", "models"): (
            error.is_about_day
        ),
        ("check the api_key of this server in the settings", "api_key"): (
            status in KEY_STATUSES
        ),
        (
            "check the api-version that the settings of this server name",
            "query: {api-version: the version that the server takes}",
        ): error.names(("api-version", "api version")),
        (
            "check the names of its models in the settings, and that the server has them",
            "models",
        ): error.is_about_model,
        (
            "check its base_url, which ends with /v1 at most servers, and the names of its "
            "models in the settings",
            "base_url",
        ): status in MISSING_STATUSES,
    }
    return next((hint for hint, applies in hints.items() if applies), (CHECK_MODELS, ""))


def _json_of(text: str) -> dict[str, Any]:
    """Return the body as an object; some servers put a list around it."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    if isinstance(data, list) and data:
        data = data[0]
    return data if isinstance(data, dict) else {"message": data} if data else {}


def _message_of(error: object) -> str:
    """Return the words of an error, as JSON if they are no text."""
    if isinstance(error, str):
        return error
    if not isinstance(error, dict):
        return ""
    found = next((error[name] for name in _MESSAGES if error.get(name)), "")
    return found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)


def _status_in(fields: Mapping[str, Any], data: Mapping[str, Any]) -> int:
    """Return the status that an error inside a reply with 200 names, else 500."""
    for value in (
        fields.get("code"),
        fields.get("status"),
        data.get("code"),
        data.get("status"),
    ):
        try:
            status = int(str(value))
        except ValueError:
            continue
        if HTTPStatus.BAD_REQUEST <= status < STATUSES_END:
            return status
    return HTTPStatus.INTERNAL_SERVER_ERROR


def _wait_seconds(headers: Mapping[str, str], body: str) -> float | None:
    """Return the wait that the server requests, None if it requests none."""
    for name, unit in (("retry-after-ms", MILLISECONDS), ("retry-after", 1.0)):
        seconds = _number(headers.get(name, ""))
        if seconds is not None:
            return seconds / unit
    moment = email.utils.parsedate_tz(headers.get("retry-after", ""))
    if moment is not None:
        try:
            return max(0.0, email.utils.mktime_tz(moment) - time.time())
        except (OverflowError, ValueError):
            return None
    if (words := _WAIT_WORDS.search(body)) and (seconds := _duration(words[1])) is not None:
        return seconds
    for name in ("x-ratelimit-reset", "x-ratelimit-reset-requests", "x-ratelimit-reset-tokens"):
        if headers.get(name.replace("reset", "remaining"), "0") == "0" and name in headers:
            return _until(headers[name])
    return None


def _until(text: str) -> float | None:
    """Return the seconds until a reset: a duration, or a moment in (milli)seconds."""
    number = _number(text)
    if number is None:
        return _duration(text)
    if number < _EPOCH_MIN:
        return number
    moment = number if number < _EPOCH_MIN * MILLISECONDS else number / MILLISECONDS
    return max(0.0, moment - time.time())


def _duration(text: str) -> float | None:
    """Return the seconds of "20s", "6m0s", "349ms" or "2 minutes"."""
    parts = _DURATION.findall(text)
    if not parts:
        return None
    return sum(float(number) * _unit(unit) for number, unit in parts)


def _unit(unit: str) -> float:
    if unit in {"ms", "millisecond", "milliseconds"}:
        return 1 / MILLISECONDS
    return _UNITS[unit[0]]


def _first_number(pattern: re.Pattern[str], text: str) -> int | None:
    found = pattern.search(text)
    if found is None:
        return None
    return int(next(filter(None, found.groups())).replace(",", ""))


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None
