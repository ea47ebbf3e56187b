"""Chat models behind any server that speaks the OpenAI protocol: chat.completions (L1, L2)."""

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from openai import APIStatusError
from pydantic import BaseModel, Field

from apps.kernel.chance import unit
from apps.kernel.language import phrase
from apps.llm.answers.json_schema import strict_schema
from apps.llm.port import Completion, ModelMisconfigured, Request
from apps.llm.servers.configuration import Server
from apps.llm.servers.errors import describe, is_parse_error, misconfigured
from apps.llm.servers.openai_client import Tries, client_of, send

# Parameters that a server may refuse with 400, and words of its message.
STRICT_SCHEMA = "strict schema"
SCHEMA = "schema"
SEED = "seed"
TEMPERATURE = "temperature"
OLD_LIMIT = "max_tokens"
NEW_LIMIT = "max_completion_tokens"
REFUSAL_STATUSES = frozenset({HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY})
SCHEMA_WORDS = ("response_format", "json_schema", "schema", "grammar", "strict", "text.format")
CONCESSIONS_MAX = 6

LENGTH = "length"  # the finish_reason of an answer that reached the token limit

_SCHEMA_NAME_MAX = 64


class _Message(BaseModel):
    content: str | None = None
    refusal: str | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


class _PromptDetails(BaseModel):
    cached_tokens: int | None = None


class _Usage(BaseModel):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    prompt_tokens_details: _PromptDetails | None = None

    @property
    def cached_prompt_tokens(self) -> int:
        """The number of prompt tokens that the server had in its cache."""
        details = self.prompt_tokens_details
        return details.cached_tokens or 0 if details is not None else 0


class _Reply(BaseModel):
    """The parts of a chat completion that are used."""

    choices: list[_Choice] = Field(min_length=1)
    usage: _Usage | None = None


class OpenAIChatModel:
    """One chat model of one server.

    The object remembers which parameters the server refuses (a JSON schema, a seed, a
    temperature, the name of the token limit), and omits or replaces them in later requests.
    """

    remote = True

    def __init__(self, server: Server, model: str) -> None:
        self._server = server
        self.server = server.name
        self.name = model
        self._refused: set[str] = set()
        self._loose_tasks: set[str] = set()
        if server.schema_by == "prompt":
            self._refused |= {STRICT_SCHEMA, SCHEMA}
        if server.seed == "none":
            self._refused.add(SEED)

    def complete(self, request: Request) -> Completion:
        """Return the model's answer; see `ChatModel`."""
        tries = Tries(
            self._server, lambda number: unit(request.seed, "retry", request.call_id, number)
        )
        for _ in range(CONCESSIONS_MAX):
            parameters = self._parameters(request)
            try:
                return self._send(parameters, tries)
            except APIStatusError as error:
                if is_parse_error(error):
                    return _unparsed(describe(error, self._server), tries)
                if not self._concede(error, request, parameters):
                    raise misconfigured(error, self._server, tries.setbacks) from error
                tries.setbacks.append(describe(error, self._server))
        raise ModelMisconfigured(
            f"the model server {self.server!r} refused every form of the request; check what "
            "its models take, then run the simulation again",
            setbacks=tuple(tries.setbacks),
        )

    def _send(self, parameters: Mapping[str, Any], tries: Tries) -> Completion:
        create = client_of(self._server).chat.completions.with_streaming_response.create
        response = send(tries, create, parameters, _Reply)
        choice, usage = response.reply.choices[0], response.reply.usage or _Usage()
        return Completion(
            text=choice.message.content or choice.message.refusal or "",
            prompt_tokens=usage.prompt_tokens or 0,
            completion_tokens=usage.completion_tokens or 0,
            cached_prompt_tokens=usage.cached_prompt_tokens,
            latency_seconds=response.seconds,
            cut_off=choice.finish_reason == LENGTH,
            setbacks=tuple(tries.setbacks),
        )

    def _parameters(self, request: Request) -> dict[str, Any]:
        """Return the parameters of the request without those that the server refuses."""
        messages = [message.to_json() for message in request.messages]
        limit = NEW_LIMIT if OLD_LIMIT in self._refused else OLD_LIMIT
        parameters: dict[str, Any] = {"model": self.name, "messages": messages}
        if limit not in self._refused:
            parameters[limit] = self._server.answer_tokens_max
        if SEED not in self._refused:
            parameters["seed"] = request.seed
        if request.temperature is not None and TEMPERATURE not in self._refused:
            parameters["temperature"] = request.temperature
        if SCHEMA in self._refused or request.is_correction:
            messages[-1]["content"] += _schema_in_words(request)
        if SCHEMA not in self._refused:
            strict = request.task_name not in self._loose_tasks
            parameters["response_format"] = _response_format(request, strict=strict)
        return parameters

    def _concede(
        self, error: APIStatusError, request: Request, parameters: Mapping[str, Any]
    ) -> bool:
        """Note the refused parameter; return whether the request can be sent without it."""
        if error.status_code not in REFUSAL_STATUSES:
            return False
        text = f"{error.param or ''} {error.message}".lower()
        for optional in (NEW_LIMIT, OLD_LIMIT, SEED, TEMPERATURE):
            if optional in parameters and optional in text:
                self._refused.add(optional)
                return True
        is_about_schema = not error.body or any(word in text for word in SCHEMA_WORDS)
        if "response_format" not in parameters or not is_about_schema:
            return False
        if request.task_name in self._loose_tasks:
            self._refused.add(SCHEMA)
        else:
            self._loose_tasks.add(request.task_name)
        return True


def _unparsed(detail: str, tries: Tries) -> Completion:
    """Return an invalid answer in place of one that the server could not parse."""
    return Completion(
        text=f"({detail})",
        prompt_tokens=0,
        completion_tokens=0,
        setbacks=tuple(tries.setbacks),
    )


def _response_format(request: Request, *, strict: bool) -> dict[str, Any]:
    schema = strict_schema(request.json_schema) if strict else dict(request.json_schema)
    name = request.task_name.replace(".", "_")[:_SCHEMA_NAME_MAX]
    return {
        "type": "json_schema",
        "json_schema": {"name": name, "schema": schema, "strict": strict},
    }


def _schema_in_words(request: Request) -> str:
    schema = json.dumps(request.json_schema, ensure_ascii=False)
    demand = phrase(
        "Answer with one JSON object and nothing else. It must fit this JSON schema:"
    )
    return f"\n\n{demand}\n{schema}"
