"""Chat models behind any server that speaks the OpenAI protocol: chat.completions (L1, L2)."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from apps.kernel.chance import unit
from apps.kernel.language import phrase
from apps.llm.answers.json_schema import strict_schema
from apps.llm.port import Completion, ModelMisconfigured, ModelUnavailable, Request
from apps.llm.servers.chat_replies import ChatReply, read_reply
from apps.llm.servers.configuration import Server
from apps.llm.servers.errors import SCHEMA_WORDS, ServerError, misconfigured
from apps.llm.servers.openai_client import Tries, client_of, send

# Parameters that a server may refuse.
SCHEMA = "schema"
SEED = "seed"
TEMPERATURE = "temperature"
OLD_LIMIT = "max_tokens"
NEW_LIMIT = "max_completion_tokens"
SYSTEM = "system"
SYSTEM_WORDS = re.compile(
    r"system (role|message|prompt|instruction)|(role|roles)\W{1,3}system|developer instruction"
    r"|roles must alternate|only user and assistant roles"
)
# Some models want their thoughts back with an answer that is corrected.
ANSWERS = "answers"
ANSWERS_WORDS = re.compile(r"reasoning_content|thinking block|signature")
CONCESSIONS_MAX = 12

ANSWER_TOKENS_MIN = 128  # a prompt that leaves less room for its answer is too long
ANSWER_TOKENS_RAISED_MAX = 16_384
ANSWER_TOKENS_FACTOR = 4

_SCHEMA_NAME_MAX = 64


class OpenAIChatModel:
    """One chat model of one server.

    The object remembers what the server refuses (a JSON schema, a seed, a temperature, a system
    message, the name of the token limit) once a request succeeds without it, and omits or
    replaces it in later requests. After thoughts have used up the limit of an answer, it raises
    that limit.
    """

    remote = True

    def __init__(self, server: Server, model: str) -> None:
        self._server = server
        self.server = server.name
        self.name = model
        by_settings = {SCHEMA: server.schema == "prompt", SEED: not server.sends_seed}
        self._form = _Form(
            refused=frozenset(name for name, is_left_out in by_settings.items() if is_left_out),
            answer_tokens=server.answer_tokens_max,
        )
        self._has_answered = False
        self._loose_tasks: set[str] = set()

    def complete(self, request: Request) -> Completion:
        """Return the model's answer; see `ChatModel`."""
        tries = Tries(
            self._server, lambda number: unit(request.seed, "retry", request.call_id, number)
        )
        form = self._form
        for _ in range(CONCESSIONS_MAX):
            parameters = self._parameters(request, form)
            try:
                completion = self._send(request, parameters, tries)
            except ServerError as error:
                if (end := _end_of_call(error, form, tries)) is not None:
                    return end
                form = self._conceded(error, request, parameters, form, tries)
                tries.setbacks.append(error.told)
            except ModelUnavailable as error:
                form = self._without_unnamed(error, request, parameters, form)
            else:
                self._remember(form, completion)
                return completion
        raise ModelMisconfigured(
            f"the model server {self.server!r} refused every form of the request; check what "
            "its models take, then run the simulation again",
            setbacks=tuple(tries.setbacks),
        )

    def _remember(self, form: "_Form", completion: Completion) -> None:
        """Ask in the form that succeeded from now on, with room for thoughts of this length."""
        self._has_answered = True
        answer_tokens = self._form.answer_tokens
        if completion.thoughts_cut_off:
            raised = min(form.answer_tokens * ANSWER_TOKENS_FACTOR, ANSWER_TOKENS_RAISED_MAX)
            answer_tokens = max(answer_tokens, raised)
        self._form = _Form(self._form.refused | form.refused, answer_tokens)

    def _send(
        self, request: Request, parameters: Mapping[str, Any], tries: Tries
    ) -> Completion:
        create = client_of(self._server).chat.completions.with_streaming_response.create
        response = send(tries, create, parameters, ChatReply)
        return read_reply(
            response.reply,
            request.messages,
            seconds=response.seconds,
            setbacks=tuple(tries.setbacks),
        )

    def _parameters(self, request: Request, form: "_Form") -> dict[str, Any]:
        """Return the parameters of the request without those that the server refuses."""
        refused = form.refused
        messages = [message.to_json() for message in request.messages]
        if ANSWERS in refused and request.is_correction:
            told = "\n\n".join(message["content"] for message in messages[-3:])
            messages[-3:] = [{"role": "user", "content": told}]
        if SYSTEM in refused and messages[0]["role"] == "system":
            system = messages.pop(0)["content"]
            messages[0]["content"] = f"{system}\n\n{messages[0]['content']}"
        limit = NEW_LIMIT if OLD_LIMIT in refused else OLD_LIMIT
        parameters: dict[str, Any] = {"model": self.name, "messages": messages}
        if limit not in refused:
            parameters[limit] = form.answer_tokens
        if SEED not in refused:
            parameters["seed"] = request.seed
        if request.temperature is not None and TEMPERATURE not in refused:
            parameters["temperature"] = request.temperature
        if SCHEMA in refused or request.is_correction:
            messages[-1]["content"] += _schema_in_words(request)
        if SCHEMA not in refused:
            strict = request.task_name not in self._loose_tasks
            parameters["response_format"] = _response_format(request, strict=strict)
        return parameters

    def _conceded(
        self,
        error: ServerError,
        request: Request,
        parameters: Mapping[str, Any],
        form: "_Form",
        tries: Tries,
    ) -> "_Form":
        """Return the form without what the server refuses.

        :raises ModelMisconfigured: if the request cannot be sent without it.
        """
        if error.is_about_length:
            return replace(form, answer_tokens=_fitting_tokens(error, form.answer_tokens))
        if error.may_be_conceded:
            if (refused := _refused_roles(error, request, form)) is not None:
                return form.without(refused)
            for text in (error.subject, error.body):
                for optional in (NEW_LIMIT, OLD_LIMIT, SEED, TEMPERATURE):
                    if optional in parameters and optional in text:
                        return form.without(optional)
                is_about_schema = not error.body or any(word in text for word in SCHEMA_WORDS)
                if "response_format" in parameters and is_about_schema:
                    return self._looser(request, form)
        raise misconfigured(error, self._server, tries.setbacks) from error

    def _without_unnamed(
        self,
        error: ModelUnavailable,
        request: Request,
        parameters: Mapping[str, Any],
        form: "_Form",
    ) -> "_Form":
        """Return the form without what an error of the server can be about, unnamed.

        :raises ModelUnavailable: if there is nothing, or requests succeed as they are.
        """
        is_servers = error.setbacks[-1].startswith("5")
        if is_servers and not self._has_answered:
            if "response_format" in parameters:
                return form.without(SCHEMA)
            if SYSTEM not in form.refused and request.messages[0].role == "system":
                return form.without(SYSTEM)
        raise error

    def _looser(self, request: Request, form: "_Form") -> "_Form":
        """Return the form without the strict schema for this task, else without any."""
        if request.task_name in self._loose_tasks:
            return form.without(SCHEMA)
        self._loose_tasks.add(request.task_name)
        return form


@dataclass(frozen=True, slots=True)
class _Form:
    """How requests are sent: without what is refused, and with which limit of the answer."""

    refused: frozenset[str]
    answer_tokens: int

    def without(self, name: str) -> "_Form":
        """Return the form without that as well."""
        return replace(self, refused=self.refused | {name})


def _refused_roles(error: ServerError, request: Request, form: _Form) -> str | None:
    """Return which messages the server refuses by their role; None for neither kind."""
    has_system = SYSTEM not in form.refused and request.messages[0].role == "system"
    if has_system and SYSTEM_WORDS.search(error.subject):
        return SYSTEM
    has_answers = ANSWERS not in form.refused and request.is_correction
    return ANSWERS if has_answers and ANSWERS_WORDS.search(error.subject) else None


def _end_of_call(error: ServerError, form: _Form, tries: Tries) -> Completion | None:
    """Return what a call ends with after an error that is about this prompt; else None."""
    if error.is_unparsed_answer:
        return _without_answer(error.failed_generation or f"({error.told})", tries)
    is_too_long = (
        error.is_about_length and _fitting_tokens(error, form.answer_tokens) < ANSWER_TOKENS_MIN
    )
    if not error.is_about_content and not is_too_long:
        return None
    return _without_answer("", tries, refused=f"the server refuses this prompt: {error.told}")


def _fitting_tokens(error: ServerError, answer_tokens: int) -> int:
    """Return a lower limit of the answer: what the prompt leaves, else half of it."""
    length, of_prompt = error.lengths()
    left = answer_tokens if length is None or of_prompt is None else length - of_prompt
    return left if left < answer_tokens else answer_tokens // 2


def _without_answer(text: str, tries: Tries, *, refused: str = "") -> Completion:
    """Return an invalid answer in place of one that the server did not give."""
    return Completion(
        text=text,
        prompt_tokens=0,
        completion_tokens=0,
        refused=refused,
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
