"""Chat models behind any server that speaks the OpenAI protocol: chat.completions (L1, L2)."""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from http import HTTPStatus
from typing import Any

from apps.kernel.chance import unit
from apps.kernel.language import phrase
from apps.llm.answers.json_schema import (
    PATTERN,
    fields_in_words,
    strict_schema,
    without_patterns,
)
from apps.llm.port import (
    BatchReply,
    Completion,
    JsonSchema,
    ModelMisconfigured,
    ModelUnavailable,
    Request,
)
from apps.llm.servers.chat_replies import ChatReply, read_reply
from apps.llm.servers.configuration import REASONING_LEVELS, Reasoning, Server
from apps.llm.servers.errors import SCHEMA_WORDS, ServerError, misconfigured, unavailable
from apps.llm.servers.openai_client import (
    Response,
    Tries,
    client_of,
    reply_in,
    send,
    version_of,
)
from apps.llm.servers.retry import RetryableError
from apps.llm.tokens import count_tokens

# What a server may refuse besides parameters by their names.
SCHEMA = "schema"
REASONING = "reasoning"
TEMPERATURE, TIER = "temperature", "service_tier"
LIMITS = ("max_tokens", "max_completion_tokens")
SYSTEM = "system"
SYSTEM_WORDS = re.compile(
    r"system (role|message|prompt|instruction)|(role|roles)\W{1,3}system|developer instruction"
    r"|roles must alternate|only user and assistant roles"
)
# Patterns give the form of texts. A server that refuses them may still enforce the rest of the
# schema.
PATTERN_WORDS = ("pattern", "regex", "regular expression")
# Some models want their thoughts back with an answer that is corrected.
ANSWERS = "answers"
ANSWERS_WORDS = re.compile(r"reasoning_content|thinking block|signature")
# Words of errors about the form of the answer. OpenRouter's error names no parameter if no
# provider takes all of them.
TYPED_WORDS = (*SCHEMA_WORDS, "tool", "requested parameters")
FORCED_TOOL = "tool_choice"
FORCED_TOOL_WORDS = (FORCED_TOOL, "forces tool use", "forced tool use")
TYPED_BY = ("response_format", "tools")  # parameters that hold an answer to a form
CONCESSIONS_MAX = 14

ANSWER_TOKENS_MIN = 128  # a prompt that leaves less room for its answer is too long
ANSWER_TOKENS_RAISED_MAX = 16_384
ANSWER_TOKENS_FACTOR = 4
PROMPT_MARGIN = 1.25  # by which a prompt may have more tokens than four characters each

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
        self._options = server.options_of(model)
        self._form = _Form(self._options.answer_tokens_max, self._options.nearest_reasoning)
        self._has_answered = False
        self._loose_tasks: set[str] = set()

    @property
    def refused(self) -> frozenset[str]:
        """What the server has refused, and is asked without since then."""
        return self._form.refused

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
            model=f"{self.server}:{self.name}",
            setbacks=tuple(tries.setbacks),
        )

    def _remember(self, form: "_Form", completion: Completion) -> None:
        """Ask in the form that succeeded from now on, with room for thoughts of this length."""
        self._has_answered = True
        known = self._form
        self._form = replace(known, refused=form.refused | known.refused)
        if not completion.thoughts_cut_off:
            return
        raised = min(form.answer_tokens * ANSWER_TOKENS_FACTOR, ANSWER_TOKENS_RAISED_MAX)
        if raised > known.answer_tokens:
            self._form = replace(self._form, answer_tokens=raised)
        elif (less := self._less_reasoning(form)) is not None:
            self._form = replace(self._form, reasoning=less)

    def _less_reasoning(self, form: "_Form") -> Reasoning | None:
        """Return the next lower reasoning that has a spelling; None without one."""
        known = [one for one in REASONING_LEVELS if one in self._options.reasoning_bodies]
        if form.reasoning in known:
            known = known[known.index(form.reasoning) + 1 :]
        elif "low" in known:
            known = known[known.index("low") :]
        return known[0] if known else None

    def _send(
        self, request: Request, parameters: Mapping[str, Any], tries: Tries
    ) -> Completion:
        create = client_of(self._server).chat.completions.with_streaming_response.create
        response = send(tries, create, parameters, ChatReply)
        tier = parameters.get(TIER)
        # A server may answer in its usual tier at the usual price, and says so.
        is_cheaper = tier is not None and response.reply.service_tier in (None, tier)
        return self._completion(request, response, tries, is_cheaper=is_cheaper)

    def _completion(
        self, request: Request, response: Response[ChatReply], tries: Tries, *, is_cheaper: bool
    ) -> Completion:
        completion = read_reply(
            response.reply,
            request.messages,
            seconds=response.seconds,
            server_version=version_of(self._server),
            setbacks=tuple(tries.setbacks),
        )
        if not is_cheaper:
            return completion
        share = Decimal(str(self._options.service_tier_share))
        return replace(completion, price_share=share)

    @property
    def takes_batches(self) -> bool:
        """Whether calls that can wait are sent in batches; see `BatchChatModel`."""
        return self._server.batches

    def batch_body(self, request: Request) -> dict[str, Any]:
        """Return the body of the request; see `BatchChatModel`."""
        # A batch is a tier of its own.
        parameters = self._parameters(replace(request, can_wait=False), self._form)
        extra: dict[str, Any] = parameters.pop("extra_body", {})
        return parameters | extra

    def read_batch_reply(self, request: Request, reply: BatchReply) -> Completion:
        """Return the answer that a line of a batch has; see `BatchChatModel`."""
        tries, form = Tries(self._server, lambda _: 0.0), self._form
        try:
            read = _read_line(self._server, reply)
        except ServerError as error:
            if (end := _end_of_call(error, form, tries)) is not None:
                return end
            raise unavailable(self._server, [error.told], "in a batch") from error
        except RetryableError as error:
            raise unavailable(self._server, [error.detail], "in a batch") from error
        completion = self._completion(request, Response(read, 0.0), tries, is_cheaper=True)
        self._remember(form, completion)
        return completion

    def _parameters(self, request: Request, form: "_Form") -> dict[str, Any]:
        """Return the parameters of the request without those that the server refuses."""
        options, refused = self._options, form.refused
        excluded = options.reasoning_excludes if self._is_told_to_think(form) else ()
        way = options.schema_by
        if SCHEMA in refused or way in excluded:
            way = "prompt"
        names_fields = options.names_fields and way in ("json_schema", "tool")
        messages = _messages(request, form, names_fields=names_fields)
        parameters: dict[str, Any] = {"model": self.name, "messages": messages}
        extra = {**self._reasoning_body(form), **options.extra_body}
        limits = dict.fromkeys([options.token_limit, *LIMITS])
        limit = next((one for one in limits if one not in refused), "none")
        if "none" not in (limit, options.token_limit):
            parameters[limit] = self._answer_tokens(request, form)
        if options.seed not in ("none", *refused):
            (parameters if options.seed == "seed" else extra)[options.seed] = request.seed
        sends_temperature = options.sends_temperature and not (
            {TEMPERATURE} & {*refused, *excluded}
        )
        if request.temperature is not None and sends_temperature:
            parameters[TEMPERATURE] = request.temperature
        if request.can_wait and options.service_tier and TIER not in refused:
            parameters[TIER] = options.service_tier
        if way in ("prompt", "json_object") or (request.is_correction and not names_fields):
            messages[-1]["content"] += _schema_in_words(request)
        schema = request.json_schema
        if PATTERN in refused:
            schema = without_patterns(schema)
        is_strict = request.task_name not in self._loose_tasks
        parameters |= _typed(way, request.task_name, schema, strict=is_strict)
        return parameters | ({"extra_body": extra} if extra else {})

    def _answer_tokens(self, request: Request, form: "_Form") -> int:
        """Return the limit of the answer: at most what the prompt leaves of the context.

        It is that of the settings, and the budget of thoughts that the request names.
        """
        thinking = self._reasoning_body(form).get("thinking")
        budget = thinking.get("budget_tokens", 0) if isinstance(thinking, Mapping) else 0
        tokens = form.answer_tokens + int(budget)
        if self._options.context_tokens is None:
            return tokens
        prompt = sum(count_tokens(message.content) for message in request.messages)
        left = self._options.context_tokens - math.ceil(PROMPT_MARGIN * prompt)
        return max(ANSWER_TOKENS_MIN, min(tokens, left))

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
                eased = self._without_named(text, parameters, form)
                if eased is not None:
                    return eased
                if _has_pattern(parameters) and any(word in text for word in PATTERN_WORDS):
                    return form.without(PATTERN)
                is_about_form = not text or any(word in text for word in TYPED_WORDS)
                if _is_typed(parameters) and is_about_form:
                    return self._looser(request, form)
        raise misconfigured(error, self._server, tries.setbacks) from error

    def _without_named(
        self, text: str, parameters: Mapping[str, Any], form: "_Form"
    ) -> "_Form | None":
        """Return the form without the parameter that the error names; None if it names none.

        If a server takes a forced tool only without thoughts, the tool is omitted first, and
        the thoughts stay.
        """
        if FORCED_TOOL in parameters and any(word in text for word in FORCED_TOOL_WORDS):
            return form.without(SCHEMA)
        sent = {**parameters, **parameters.get("extra_body", {})}
        for name in (*reversed(LIMITS), "seed", "random_seed", TEMPERATURE, TIER):
            if name in sent and name in text:
                return form.without(name)
        is_named = any(name in text for name in self._reasoning_body(form))
        return form.without(REASONING) if is_named else None

    def _reasoning_body(self, form: "_Form") -> Mapping[str, Any]:
        """Return what requests have in addition for the reasoning, if the server takes it."""
        if REASONING in form.refused:
            return {}
        return self._options.reasoning_bodies.get(form.reasoning, {})

    def _is_told_to_think(self, form: "_Form") -> bool:
        return form.reasoning not in ("default", "off") and bool(self._reasoning_body(form))

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
            if _is_typed(parameters):
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
    """How requests are sent: with which limit of the answer and reasoning, without what."""

    answer_tokens: int
    reasoning: Reasoning = "default"
    refused: frozenset[str] = frozenset()

    def without(self, name: str) -> "_Form":
        """Return the form without that as well."""
        return replace(self, refused=self.refused | {name})


def _read_line(server: Server, reply: BatchReply) -> ChatReply:
    """Return the reply that a line of a batch has.

    :raises ServerError: if it is an error.
    :raises RetryableError: if it has another form.
    """
    text = json.dumps(reply.body)
    if reply.status >= HTTPStatus.BAD_REQUEST:
        raise ServerError(reply.status, {}, text, server)
    return reply_in(server, text.encode(), ChatReply)


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


def _messages(request: Request, form: _Form, *, names_fields: bool) -> list[dict[str, str]]:
    """Return the messages, joined where the server refuses their roles.

    The fields of the answer follow the task, so that a correction has the prompt as it was.
    """
    messages = [message.to_json() for message in request.messages]
    if names_fields:
        task = messages[-3 if request.is_correction else -1]
        task["content"] += _fields_in_words(request)
    if ANSWERS in form.refused and request.is_correction:
        told = "\n\n".join(message["content"] for message in messages[-3:])
        messages[-3:] = [{"role": "user", "content": told}]
    if SYSTEM in form.refused and messages[0]["role"] == "system":
        system = messages.pop(0)["content"]
        messages[0]["content"] = f"{system}\n\n{messages[0]['content']}"
    return messages


def _typed(
    way: str, task_name: str, json_schema: JsonSchema, *, strict: bool
) -> dict[str, Any]:
    """Return the parameters that hold the answer to its form."""
    name = task_name.replace(".", "_")[:_SCHEMA_NAME_MAX]
    schema = strict_schema(json_schema) if strict else dict(json_schema)
    match way:
        case "json_schema":
            form = {"name": name, "schema": schema, "strict": strict}
            return {"response_format": {"type": "json_schema", "json_schema": form}}
        case "json_object":
            return {"response_format": {"type": "json_object"}}
        case "tool":
            function = {"name": name, "parameters": schema}
            return {
                "tools": [{"type": "function", "function": function}],
                "tool_choice": {"type": "function", "function": {"name": name}},
            }
        case _:
            return {}


def _has_pattern(parameters: Mapping[str, Any]) -> bool:
    typed = {name: parameters[name] for name in TYPED_BY if name in parameters}
    return bool(without_patterns(typed) != typed)


def _is_typed(parameters: Mapping[str, Any]) -> bool:
    return any(name in parameters for name in TYPED_BY)


def _fields_in_words(request: Request) -> str:
    demand = phrase("Answer with one JSON object. Its fields:")
    return f"\n\n{demand}\n{fields_in_words(request.json_schema)}"


def _schema_in_words(request: Request) -> str:
    schema = json.dumps(without_patterns(request.json_schema), ensure_ascii=False)
    demand = phrase(
        "Answer with one JSON object and nothing else. It must fit this JSON schema:"
    )
    return f"\n\n{demand}\n{schema}"
