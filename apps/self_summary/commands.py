"""Making a person's summary description anew (S1)."""

from collections.abc import Sequence
from datetime import datetime

from apps.agents.identity import Identity
from apps.kernel.game_time import format_time
from apps.llm.chain import Chain
from apps.llm.mind import Mind
from apps.memory.recollection import Recollection
from apps.memory.rules import RETRIEVAL_TOKENS_DEFAULT
from apps.self_summary.chains.core_characteristics import CORE_CHARACTERISTICS
from apps.self_summary.chains.daily_occupation import DAILY_OCCUPATION
from apps.self_summary.chains.recent_progress import RECENT_PROGRESS
from apps.self_summary.chains.statements import Statements, Summary
from apps.self_summary.events import SelfSummarised
from apps.self_summary.rules import summary_text

# The queries are the paper's (appendix A), in this order in the event and in the text.
_ASKED: tuple[tuple[Chain[Statements, Summary], str], ...] = (
    (CORE_CHARACTERISTICS, "{name}'s core characteristics"),
    (DAILY_OCCUPATION, "{name}'s current daily occupation"),
    (RECENT_PROGRESS, "{name}'s feeling about their recent progress in life"),
)


def renew_summary(
    mind: Mind,
    identity: Identity,
    recollection: Recollection,
    *,
    now: datetime,
    due_tick: int,
    token_budget: int = RETRIEVAL_TOKENS_DEFAULT,
) -> SelfSummarised:
    """Return the new summary: three retrievals, and three prompts asked together.

    `token_budget` is that of each retrieval. What comes to nobody's mind is not asked
    about: its summary is "". The retrievals are on the recollection's events.
    """
    given = [
        Statements(
            agent_name=identity.name,
            now=format_time(now),
            statements=tuple(
                memory.description
                for memory in recollection.recall(
                    query.format(name=identity.name), chain.name, token_budget=token_budget
                )
            ),
        )
        for chain, query in _ASKED
    ]
    core, occupation, feeling = _summaries(mind, given)
    return SelfSummarised(
        core=core,
        occupation=occupation,
        feeling=feeling,
        text=summary_text(identity, (core, occupation, feeling)),
        due_tick=due_tick,
    )


def _summaries(mind: Mind, given: Sequence[Statements]) -> list[str]:
    """Return the three summaries in order, "" where there are no statements."""
    asked = [
        (chain, statements)
        for (chain, _), statements in zip(_ASKED, given, strict=True)
        if statements.statements
    ]
    answers = iter(mind.ask_together(asked) if asked else [])
    return [
        next(answers).summary.strip() if statements.statements else "" for statements in given
    ]
