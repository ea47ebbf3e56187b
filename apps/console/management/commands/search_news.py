"""`manage.py search_news SIMULATION NEWS`: who knows a piece of news, found by meaning (E4)."""

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from apps import wiring
from apps.console.estimate import use_in_words
from apps.console.moments import agents_at, committed_tick_of
from apps.console.work_here import OPERATOR, carry_out_here
from apps.django_support.service_command import ServiceCommand
from apps.evaluation.expected_calls import expected_of_search
from apps.evaluation.models import NewsSearchRow
from apps.evaluation.news_searches.commands import (
    NEWS_SEARCHES,
    NewsSearchRequest,
    ensure_usable_news,
    request_news_search,
)
from apps.evaluation.news_searches.verification import verifying_model
from apps.evaluation.news_searches.verified_diffusion import (
    AgentFinding,
    KnowledgeVerdict,
    VerifiedDiffusion,
    verified_diffusion,
)
from apps.evaluation.news_searches.verifiers import VERIFIERS
from apps.evaluation.social.grapevine import Grapevine
from apps.kernel.game_time import GameCalendar
from apps.simulation import queries
from apps.simulation.engine.run_estimates import estimate_work
from apps.work.rows import WorkState

_SHOWN_MAX = 3


class Command(ServiceCommand):
    help = "Find who knows a piece of news by the meaning of memories, and how they learned it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("simulation", type=UUID)
        parser.add_argument("news", help="a sentence that says who does what, where and when")
        parser.add_argument("--agents", nargs="+", help="slugs; all agents, if left out")
        parser.add_argument("--at", help="a game time or a tick; the committed one by default")
        parser.add_argument(
            "--verifier",
            choices=[NewsSearchRow.MODEL, *VERIFIERS],
            default=NewsSearchRow.MODEL,
        )
        parser.add_argument("--tokens-max", type=int, help="pause at so many tokens")
        parser.add_argument("--search", type=UUID, help="continue this search")
        parser.add_argument(
            "--estimate", action="store_true", help="print the expected use, and ask nothing"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        if options["estimate"]:
            self._estimate(_request_of(options), options["simulation"])
            return
        found = self._searched(options)
        for line in _lines_of(found, queries.calendar_of(found.search.simulation_id)):
            self.stdout.write(line)

    def _estimate(self, request: NewsSearchRequest, simulation_id: UUID) -> None:
        model = verifying_model(queries.model_of(simulation_id), request.verifier)
        expected = expected_of_search(len(request.agents))
        found = estimate_work(model, expected, simulation_id=simulation_id)
        self.stdout.write(use_in_words(found, f"{len(request.agents)} agents,"))

    def _searched(self, options: dict[str, Any]) -> VerifiedDiffusion:
        """Carry the search out; agents that are verified already are not asked about again."""
        search_id = options["search"]
        if not search_id:
            search_id = request_news_search(
                options["simulation"], _request_of(options), by=OPERATOR
            ).pk
        elif options["tokens_max"] and NEWS_SEARCHES.get(search_id).state == WorkState.PAUSED:
            NEWS_SEARCHES.resume(search_id, by=OPERATOR, tokens_max=options["tokens_max"])
        row = carry_out_here(NEWS_SEARCHES, search_id, self.stdout, option="--search")
        events = wiring.event_store().read(row.simulation_id, until_tick=row.as_of_tick)
        return verified_diffusion(row, Grapevine(events))


def _request_of(options: dict[str, Any]) -> NewsSearchRequest:
    ensure_usable_news(options["news"])
    row = queries.get_simulation(options["simulation"])
    tick = committed_tick_of(row, options["at"])
    agents = agents_at(row.pk, as_of_tick=tick, requested=options["agents"])
    return NewsSearchRequest(
        news=options["news"],
        agents=agents,
        as_of_tick=tick,
        verifier=options["verifier"],
        tokens_max=options["tokens_max"],
    )


def _lines_of(found: VerifiedDiffusion, calendar: GameCalendar) -> list[str]:
    spread = found.spread
    lines = [
        f"{len(spread.knowers)} of {spread.agents} agents know it by a memory; "
        f"{spread.unexplained} without a chain of events, "
        f"{found.count(KnowledgeVerdict.HALLUCINATED)} hallucinated, "
        f"{found.count(KnowledgeVerdict.UNVERIFIED)} unverified"
    ]
    for finding in found.findings:
        lines += ["", f"{finding.row.agent}: {finding.verdict}", *_evidence(finding, calendar)]
    return lines


def _evidence(finding: AgentFinding, calendar: GameCalendar) -> list[str]:
    """Return the memories and the chain of a yes, or the memories that were read of a no."""
    row, knower = finding.row, finding.knower
    memories = row.held or row.considered
    shown = [
        f"  {calendar.time_at(one['tick']):%d %b %H:%M} memory {one['number']}: "
        f"{one['description']}" + (f" ({one['reason']})" if row.held else "")
        for one in memories[:_SHOWN_MAX]
    ]
    if len(memories) > _SHOWN_MAX:
        shown.append(f"  and {len(memories) - _SHOWN_MAX} more")
    if row.parse_error:
        about = " about earlier memories" if row.held else ""
        shown.append(f"  no valid answer{about}: {row.parse_error}")
    if knower is None:
        return shown
    chain = [f"  from {link.source} by {link.event}" for link in knower.chain]
    if not knower.problem:
        return [*shown, *chain]
    kind = "not followed" if knower.teller_not_searched else "unexplained"
    return [*shown, f"  {kind}: {knower.problem}"]
