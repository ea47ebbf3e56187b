"""The functions that verify news in place of a model."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from apps.django_support.function_registry import Registry
from apps.evaluation.news_searches.inputs import NewsInput
from apps.evaluation.news_searches.llm_tasks import NewsVerification
from apps.kernel.errors import DomainError


class VerifierUnknown(DomainError):
    """There is no verifier of that name; `GET /verifiers` lists them."""

    code: ClassVar[str] = "verifier-unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verifier:
    """Returns which memories hold the news."""

    name: str
    description: str
    function: Callable[[NewsInput], NewsVerification]


VERIFIERS = Registry(
    "verifier", Verifier, "apps.evaluation.news_searches.word_rule", unknown=VerifierUnknown
)
