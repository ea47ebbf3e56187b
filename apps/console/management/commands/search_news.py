"""`manage.py search_news SIMULATION NEWS`: who knows a piece of news, found by meaning (E4)."""

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import CommandError

from apps import wiring
from apps.console.moments import agents_at, committed_tick_of
from apps.console.termination import exit_at_termination
from apps.django_support.service_command import ServiceCommand
from apps.evaluation.models import NewsSearchRow
from apps.evaluation.news_searches.commands import (
    NewsSearchRequest,
    carry_out_news_search,
    ensure_usable_news,
    request_news_search,
    resume_news_search,
    unfinished_problem,
)
from apps.evaluation.news_searches.search_estimates import estimate_news_search
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
from apps.llm.catalogue import price_of
from apps.simulation import queries

_BY = "the operator"
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
        row = NewsSearchRow(simulation_id=simulation_id, verifier=request.verifier)
        model = verifying_model(row)
        price = price_of(model.chat_model, model.server)
        found = estimate_news_search(len(request.agents), price, simulation_id=simulation_id)
        cost = "no known price" if price is None else f"cost {found.cost:.4f}"
        self.stdout.write(
            f"{found.agents} agents, {found.calls} calls (at most {found.calls_max}), "
            f"{found.prompt_tokens + found.completion_tokens:,} tokens, {cost}"
        )

    def _searched(self, options: dict[str, Any]) -> VerifiedDiffusion:
        """Carry the search out; agents that are verified already are not asked about again."""
        row = _search_of(options)
        with exit_at_termination(f"--search {row.pk}"):
            self.stdout.write(f"search {row.pk}")
            self.stdout.flush()
            carry_out_news_search(wiring.ports(), row.pk)
        row.refresh_from_db()
        if row.state != NewsSearchRow.State.FINISHED:
            problem = unfinished_problem(row)
            raise CommandError(f"{problem}; continue it with --search {row.pk}")
        events = wiring.event_store().read(row.simulation_id, until_tick=row.as_of_tick)
        return verified_diffusion(row, Grapevine(events))


def _search_of(options: dict[str, Any]) -> NewsSearchRow:
    """Return a new search, or the one to continue."""
    if not options["search"]:
        return request_news_search(options["simulation"], _request_of(options), by=_BY)
    row = NewsSearchRow.objects.filter(
        pk=options["search"], simulation_id=options["simulation"]
    ).first()
    if row is None:
        raise CommandError(f"there is no news search {options['search']} of this simulation")
    if row.state != NewsSearchRow.State.PAUSED:
        return row
    return resume_news_search(row, tokens_max=options["tokens_max"])


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
