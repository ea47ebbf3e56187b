"""Checks what a chat model and its server can do, by some calls of the kind that runs make.

The calls are those of an LLM task, asked and read as in a turn; nothing is recorded.
"""

from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.conf import settings

from apps.kernel.followed_items import followed
from apps.llm.calls.agent_llm import AgentLLM
from apps.llm.calls.answering import CallFailed, ValidAnswer
from apps.llm.calls.call_log import CallKey, JsonObject
from apps.llm.calls.gateway import Call, Models, ask
from apps.llm.calls.record import json_of, spent_on
from apps.llm.catalogue import (
    CHAT_PRICE,
    EMBEDDING_PRICE,
    ensure_allowed,
    named_models,
    parse_model,
)
from apps.llm.embeddings import StoredVectors
from apps.llm.estimates import Past, estimate
from apps.llm.model_spec import OFFLINE, ModelSpec, UnknownModel
from apps.llm.opening import open_embedding
from apps.llm.port import Completion, ModelError
from apps.llm.prices import Prices
from apps.llm.servers.configuration import KEYLESS, Server
from apps.llm.tokens import count_tokens
from apps.llm.usage import Usage
from apps.memory.events import MemoryKind, MemoryOrigin
from apps.memory.items import ImportanceInput, NewMemory, RatedExample
from apps.memory.llm_tasks.importance import IMPORTANCE

if TYPE_CHECKING:
    from apps.llm.servers.openai_chat import OpenAIChatModel

SEED = 7
CALLS_AT_ONCE = 4
LONG_TOKENS = 6_000
"""By how many tokens a long prompt is longer; prompts of a run usually have 2,000."""
UNCUT_SHARE_MIN = 0.8  # of the tokens that are expected; tokenizers differ
TOKENS_RATIO_MIN = 0.5  # of a server's tokens to those that are estimated
LIMITED = "429"
PASSAGE = (
    "On a rainy day of last autumn the guests of the cafe waited for the bus, and while they "
    "waited they talked about the harvest, the price of bread and the new teacher of the "
    "school; an old man played the piano, two children drew a map of the town on the window, "
    "and when the bus came at last nobody wanted to leave, so that the driver sat down with "
    "them and told how the bridge over the river was built before he was born"
)
MEMORIES = (
    "the stove is burning", "brushed the teeth", "Tom told that he runs for mayor",
    "a letter from the college arrived", "the cup is idle", "a friend moved away",
    "the bus was late", "promised to bring the cake",
)  # fmt: skip
WAYS = ("json_schema", "tool", "json_object", "prompt")
CONTEXT_OF = {
    "ollama": "start the server with OLLAMA_CONTEXT_LENGTH=16384",
    "llama_cpp": "start the server with --ctx-size 16384 for each of its --parallel slots",
    "vllm": "start the server with --max-model-len 16384",
    "sglang": "start the server with --context-length 16384",
    "lm_studio": "load the model with a context of 16384 tokens",
}
"""How to lengthen the context of a server, by preset: no request can set it."""


class Capability(StrEnum):
    """What is checked."""

    CHAT = "chat"
    TYPED = "typed answer"
    SEED = "seed"
    LONG = "long prompt"
    CACHE = "cached tokens"
    PARALLEL = "parallel calls"
    EMBEDDING = "embedding"
    PRICE = "price"


class Works(StrEnum):
    """Whether a capability works."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "not known"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedCapability:
    """Whether one capability works, and what to change if not."""

    capability: Capability
    works: Works
    told: str
    """What the calls have shown, or the error of the server."""
    fix: str = ""
    """The line for the server in MODELS_FILE, or what to change at the server itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCheck:
    """What a chat model with its embedding model can do, and what a day of an agent costs.

    The speeds are those of one call, with the reading of its prompt; None if no call was
    answered.
    """

    model: str
    embedding: str
    capabilities: tuple[CheckedCapability, ...]
    tokens_used: int
    """What the calls of the check used, with prompts."""
    prompt_tokens_per_second: float | None
    answer_tokens_per_second: float | None
    day: Usage
    """What an agent-day uses, by the figures of `GET /costs/estimate`."""
    is_priced: bool
    """Whether all prices are known; an unknown one counts as 0."""

    @property
    def day_minutes(self) -> float | None:
        """How long the model computes for an agent-day, one call after the other; or None."""
        if self.prompt_tokens_per_second is None or self.answer_tokens_per_second is None:
            return None
        reading = self.day.prompt_tokens / self.prompt_tokens_per_second
        return (reading + self.day.completion_tokens / self.answer_tokens_per_second) / 60

    @property
    def is_usable(self) -> bool:
        """Whether simulations can think with the model."""
        needed = {Capability.CHAT, Capability.TYPED}
        working = {one.capability for one in self.capabilities if one.works is Works.YES}
        return needed <= working


def check_model(name: str, task_names: Collection[str]) -> ModelCheck:
    """Return what the model can do, by about ten calls.

    :param name: as in `model` of a simulation: `server` or `server:model`.
    :param task_names: those of all LLM tasks, for the cost of a day.
    :raises UnknownModel: if there is no such server, or it is the rule-based model.
    :raises ModelNotAllowed: if the operator does not offer the model.
    """
    spec = parse_model(name)
    if spec.server == OFFLINE:
        raise UnknownModel(
            f"{OFFLINE!r} is the rule-based model, which needs no server and no check; "
            "name a server of the settings"
        )
    ensure_allowed(spec)
    check = _Check(spec, settings.MODEL_SERVERS[spec.server])
    prices = named_models(spec).prices
    return ModelCheck(
        model=spec.chat,
        embedding=f"{spec.embedding_server}:{spec.embedding_model}",
        capabilities=(*check.chat(), check.embedding(), _priced(prices)),
        tokens_used=check.tokens_used,
        prompt_tokens_per_second=check.prompt_rate,
        answer_tokens_per_second=check.answer_rate,
        day=estimate(task_names, 1.0, Past(used={}), prices).total,
        is_priced=prices.are_known,
    )


class _Answers:
    """A gateway that records nothing; `answered` is in the order asked."""

    is_deferred = False

    def __init__(self) -> None:
        self.answered: list[ValidAnswer[Any]] = []

    def answer(self, calls: Sequence[Call]) -> dict[CallKey, JsonObject]:
        """Return the answers of the calls, which are all asked at once."""
        with ThreadPoolExecutor(len(calls)) as threads:
            asked = [threads.submit(copy_context().run, ask, call) for call in calls]
        self.answered = [one.result() for one in asked]
        answers = zip(calls, self.answered, strict=True)
        return {call.key: json_of(answered.answer) for call, answered in answers}

    def save(self) -> None:
        """Write nothing."""


class _Check:
    """The calls of one check, and what they used."""

    def __init__(self, spec: ModelSpec, server: Server) -> None:
        self._spec = spec
        self._server = server
        self._options = server.options_of(spec.chat_model)
        self._chat = self._open(server)
        self._long: Completion | None = None
        self.tokens_used = 0
        self.prompt_rate: float | None = None
        self.answer_rate: float | None = None

    def _open(self, server: Server) -> "OpenAIChatModel":
        """Return a model that does not know yet what its server refuses."""
        from apps.llm.servers.openai_chat import OpenAIChatModel  # noqa: PLC0415

        return OpenAIChatModel(server, self._spec.chat_model)

    def chat(self) -> list[CheckedCapability]:
        """Return what the chat model can do."""
        try:
            [first] = self._ask(_question())
        except CallFailed as failed:
            unasked = list(Capability)[1:6]
            return [
                self._failed(Capability.CHAT, failed.error),
                *(_told(one, Works.UNKNOWN, "not asked") for one in unasked),
            ]
        others: list[tuple[Capability, Callable[[], CheckedCapability]]] = [
            (Capability.SEED, lambda: self._repeats(first)),
            (Capability.LONG, lambda: self._takes_long(first)),
            (Capability.CACHE, self._caches),
            (Capability.PARALLEL, self._takes_several),
        ]
        found = [self._chats(first), self._types(first)]
        for capability, check in followed(others, "capability", len(others)):
            found.append(self._tried(capability, check))
        return found

    def _tried(
        self, capability: Capability, check: Callable[[], CheckedCapability]
    ) -> CheckedCapability:
        try:
            return check()
        except CallFailed as failed:
            return self._failed(capability, failed.error)

    def _ask(
        self, *questions: ImportanceInput, chat: "OpenAIChatModel | None" = None
    ) -> list[ValidAnswer[Any]]:
        """Ask the questions at once, as an agent would."""
        answers = _Answers()
        models = Models(
            chat=chat or self._chat,
            embedding=open_embedding(self._spec),
            seed=SEED,
            temperature=self._spec.temperature,
            prompt_form=self._spec.prompt_form,
        )
        agent_llm = AgentLLM(
            simulation_id=UUID(int=0),
            tick=0,
            stream="check",
            models=models,
            gateway=answers,
            vectors=StoredVectors(models.embedding),
        )
        agent_llm.ask_together([(IMPORTANCE, question) for question in questions])
        for one in answers.answered:
            self.tokens_used += spent_on(one.attempts, None).tokens
        return answers.answered

    def _ask_long(self) -> Completion:
        [answered] = self._ask(_question(LONG_TOKENS))
        self._long = _completion(answered)
        return self._long

    def _chats(self, first: ValidAnswer[Any]) -> CheckedCapability:
        used = _completion(first)
        refused = self._chat.refused
        fixes = {
            "token_limit: max_completion_tokens": "max_tokens" in refused,
            "token_limit: max_tokens": "max_completion_tokens" in refused,
            "reasoning: default": "reasoning" in refused,
            "answer_tokens_max: 8192": any(
                one.completion.thoughts_cut_off for one in first.attempts
            ),
        }
        setbacks = [told for one in first.attempts for told in one.completion.setbacks]
        told = f"answers in {used.latency_seconds:.1f} s"
        if used.served.served_model not in ("", self._spec.chat_model):
            told += f" as {used.served.served_model}"
        if used.reasoning_tokens:
            told += f", after {used.reasoning_tokens} tokens of thoughts"
        if setbacks:
            told += f"; before that: {setbacks[-1]}"
        fix = next((fix for fix, applies in fixes.items() if applies), "")
        return _told(Capability.CHAT, Works.YES, told, fix)

    def _types(self, first: ValidAnswer[Any]) -> CheckedCapability:
        """Return whether an answer has its form; if not, by which other way it has."""
        way = "prompt" if "schema" in self._chat.refused else self._options.schema_by
        error = next((one.error for one in first.attempts if one.error), None)
        if first.fallback is None:
            told = f"{first.outcome} by {way}" + (f", after: {error}" if error else "")
            fix = "" if way == self._options.schema_by else f"schema: {way}"
            return _told(Capability.TYPED, Works.YES, told, fix)
        for other in WAYS:
            if other != way and self._types_by(other):
                return _told(
                    Capability.TYPED, Works.NO, f"by {way}: {error}", f"schema: {other}"
                )
        return _told(
            Capability.TYPED, Works.NO, f"{error}; no other way works: take another model"
        )

    def _types_by(self, way: str) -> bool:
        changed = self._options.model_copy(update={"schema_by": way})
        models = {**self._server.models, self._spec.chat_model: changed}
        server = self._server.model_copy(update={"schema_by": way, "models": models})
        try:
            [answered] = self._ask(_question(), chat=self._open(server))
        except CallFailed:
            return False
        return answered.fallback is None

    def _repeats(self, first: ValidAnswer[Any]) -> CheckedCapability:
        """Return whether the same question has the same answer again."""
        [again] = self._ask(_question())
        used = _completion(again)
        self.answer_rate = _rate(used.completion_tokens, used)
        if self._options.seed == "none":
            return _told(Capability.SEED, Works.UNKNOWN, "requests have none: seed: none")
        if self._options.seed in self._chat.refused:
            return _told(Capability.SEED, Works.NO, "the server refuses it", "seed: none")
        if used.text == _completion(first).text:
            return _told(Capability.SEED, Works.YES, "the same answer to the same question")
        return _told(
            Capability.SEED,
            Works.NO,
            "two answers to one question differ; a run is repeated from its call log only",
            "extra_body: {cache_prompt: false}" if self._server.preset == "llama_cpp" else "",
        )

    def _takes_long(self, first: ValidAnswer[Any]) -> CheckedCapability:
        """Return whether a long prompt is read as a whole."""
        used, short = self._ask_long(), _completion(first)
        fix = CONTEXT_OF.get(self._server.preset, 'simulations with "prompt_form": "short"')
        if used.refused:
            return _told(Capability.LONG, Works.NO, used.refused, fix)
        if used.is_estimated:
            return _told(Capability.LONG, Works.UNKNOWN, "the server counts no tokens")
        self.prompt_rate = _rate(used.prompt_tokens - used.cached_prompt_tokens, used)
        ratio = max(TOKENS_RATIO_MIN, min(1.0, short.prompt_tokens / _estimated(_question())))
        expected = round(_estimated(_question(LONG_TOKENS)) * ratio)
        if used.prompt_tokens >= UNCUT_SHARE_MIN * expected:
            return _told(Capability.LONG, Works.YES, f"{used.prompt_tokens} tokens are read")
        told = f"cut: of about {expected} tokens the server read {used.prompt_tokens}"
        return _told(Capability.LONG, Works.NO, told, fix)

    def _caches(self) -> CheckedCapability:
        """Return whether the tokens of the long prompt are cached when it is sent again."""
        if self._long is None or self._long.refused:
            return _told(Capability.CACHE, Works.UNKNOWN, "not asked")
        used = self._ask_long()
        if used.cached_prompt_tokens:
            told = f"{used.cached_prompt_tokens} of {used.prompt_tokens} of a repeated prompt"
            return _told(Capability.CACHE, Works.YES, told)
        fix = "start the server with --enable-prompt-tokens-details"
        is_vllm = self._server.preset == "vllm"
        told = "the server reports none for a repeated prompt"
        return _told(Capability.CACHE, Works.UNKNOWN, told, fix if is_vllm else "")

    def _takes_several(self) -> CheckedCapability:
        count = min(CALLS_AT_ONCE, self._server.calls_at_once_max)
        answered = self._ask(*(_question(turned=turn + 1) for turn in range(count)))
        used = [_completion(one) for one in answered]
        if any(told.startswith(LIMITED) for one in used for told in one.setbacks):
            fix = f"calls_at_once_max: {max(1, count // 2)}"
            return _told(Capability.PARALLEL, Works.NO, f"some of {count} had to wait", fix)
        longest = max(one.latency_seconds for one in used)
        told = f"{count} at once, all answered after {longest:.1f} s"
        return _told(Capability.PARALLEL, Works.YES, told)

    def embedding(self) -> CheckedCapability:
        """Return whether texts are embedded."""
        if self._spec.embedding_server == OFFLINE:
            return _told(Capability.EMBEDDING, Works.YES, "built-in, without a call")
        try:
            embedded = open_embedding(self._spec).embed_at_once(MEMORIES[:2])
        except ModelError as error:
            return self._failed(Capability.EMBEDDING, error)
        self.tokens_used += embedded.prompt_tokens
        told = f"vectors of {len(embedded.vectors[0])} numbers"
        return _told(Capability.EMBEDDING, Works.YES, told)

    def _failed(self, capability: Capability, error: ModelError) -> CheckedCapability:
        """Return that the server gave no answer, with the setting that the error is about."""
        told = error.setbacks[-1] if error.setbacks else error.cause
        match error.setting:
            case "api_key":
                is_sent = "another key" if self._server.api_key != KEYLESS else "a key"
                fix = f"api_key: {{variable: NAME}}, with {is_sent} in that variable"
            case "base_url":
                fix = f"base_url: where the server listens, if not at {self._server.base_url}"
            case "models":
                fix, told = self._other_model(told)
            case "timeout_seconds":
                fix = f"timeout_seconds: {10 * self._server.timeout_seconds:g}"
            case _:
                fix = error.setting
        return _told(capability, Works.NO, told, fix)

    def _other_model(self, told: str) -> tuple[str, str]:
        from apps.llm.servers.openai_client import served_models  # noqa: PLC0415

        names = served_models(self._server)
        if not names:
            return "chat_model: the name of a model that the server has", told
        return f"chat_model: {names[0]}", f"{told}; it has {', '.join(names)}"


def _priced(prices: Prices) -> CheckedCapability:
    if prices.are_known:
        return _told(Capability.PRICE, Works.YES, "known")
    price = CHAT_PRICE if prices.chat is None else EMBEDDING_PRICE
    fix = f"price: {price}, or {{prompt: 0}} if it costs nothing"
    return _told(Capability.PRICE, Works.NO, "budgets of money are refused", fix)


def _told(capability: Capability, works: Works, told: str, fix: str = "") -> CheckedCapability:
    return CheckedCapability(capability=capability, works=works, told=told, fix=fix)


def _question(long_tokens: int = 0, turned: int = 0) -> ImportanceInput:
    """Return a question for numbers; its prompt is longer by about so many tokens.

    `turned` puts other memories first, so that it is another question.
    """
    anchor = RatedExample(importance=1, description=PASSAGE)
    return ImportanceInput(
        agent_name="Isabella Rodriguez",
        age=34,
        traits=("friendly", "outgoing"),
        anchors=(anchor,) * (long_tokens // count_tokens(PASSAGE)),
        memories=tuple(
            NewMemory(
                kind=MemoryKind.OBSERVATION, origin=MemoryOrigin.UNKNOWN, description=text
            )
            for text in (*MEMORIES[turned:], *MEMORIES[:turned])
        ),
    )


def _estimated(question: ImportanceInput) -> int:
    return sum(count_tokens(message.content) for message in IMPORTANCE.prompt(question))


def _completion(answered: ValidAnswer[Any]) -> Completion:
    """Return the first completion, which nothing was corrected for."""
    return answered.attempts[0].completion


def _rate(tokens: int, used: Completion) -> float | None:
    return tokens / used.latency_seconds if tokens and used.latency_seconds else None
