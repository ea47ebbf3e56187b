"""The diffusion of news that was found by meaning and verified, with its evidence (E4)."""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from apps.evaluation.models import NewsFindingRow, NewsSearchRow
from apps.evaluation.news_searches.queries import ensure_finished, findings_of
from apps.evaluation.social.diffusion import Diffusion, Knower, diffusion
from apps.evaluation.social.grapevine import Grapevine
from apps.evaluation.social.news import VerifiedNews


class KnowledgeVerdict(StrEnum):
    """Whether an agent knows the news.

    HALLUCINATED is a yes of the verifier without a memory that holds the news, and UNVERIFIED
    an agent of which the model gave no valid answer. Neither counts as knowing.
    """

    KNOWS = "knows"
    UNAWARE = "unaware"
    HALLUCINATED = "hallucinated"
    UNVERIFIED = "unverified"


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentFinding:
    """The finding of an agent; `knower` has the chain of events of one that knows the news."""

    row: NewsFindingRow
    verdict: KnowledgeVerdict
    knower: Knower | None


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifiedDiffusion:
    """The diffusion of the news of a search, and what it rests on, by slug."""

    search: NewsSearchRow
    spread: Diffusion
    findings: tuple[AgentFinding, ...]

    def count(self, verdict: KnowledgeVerdict) -> int:
        """Return the number of agents with the verdict."""
        return sum(one.verdict is verdict for one in self.findings)


def verified_diffusion(row: NewsSearchRow, log: Grapevine) -> VerifiedDiffusion:
    """Return the diffusion of a finished search.

    :param log: the log up to the moment of the search at least.
    :raises NewsSearchNotFinished: if agents are not verified yet.
    """
    ensure_finished(row)
    rows = list(findings_of(row))
    news = verified_news(row, rows)
    spread = diffusion(log, news, [one.agent for one in rows], as_of_tick=row.as_of_tick)
    knowers = {knower.agent: knower for knower in spread.knowers}
    return VerifiedDiffusion(
        search=row,
        spread=spread,
        findings=tuple(
            AgentFinding(row=one, verdict=verdict_of(one), knower=knowers.get(one.agent))
            for one in rows
        ),
    )


def verified_news(row: NewsSearchRow, rows: Collection[NewsFindingRow]) -> VerifiedNews:
    """Return the news of a finished search by the memories that its findings name."""
    return VerifiedNews(
        name=row.news,
        memories=frozenset(
            (one.agent, str(memory["description"])) for one in rows for memory in one.held
        ),
        searched=frozenset(one.agent for one in rows),
        others=frozenset(
            (one.agent, number) for one in rows for number in _numbers_of_others(one)
        ),
    )


def _numbers_of_others(row: NewsFindingRow) -> set[int]:
    """Return the numbers of the memories that were read and do not hold the news.

    An agent with an invalid answer has none: it is unknown which of them hold the news.
    """
    if row.parse_error:
        return set()
    held = {int(memory["number"]) for memory in row.held}
    return {int(memory["number"]) for memory in row.considered} - held


def verdict_of(row: NewsFindingRow) -> KnowledgeVerdict:
    """Return the verdict on an agent that is verified."""
    if row.held:
        return KnowledgeVerdict.KNOWS
    if row.parse_error:
        return KnowledgeVerdict.UNVERIFIED
    return KnowledgeVerdict.HALLUCINATED if row.knows else KnowledgeVerdict.UNAWARE
