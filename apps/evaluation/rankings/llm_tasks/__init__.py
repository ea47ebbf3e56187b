"""The LLM task of rankings: a judge ranks answers (E3)."""

from apps.evaluation.rankings.llm_tasks.answer_ranking import RANKING, RankingAnswer

LLM_TASKS = (RANKING,)

__all__ = ["LLM_TASKS", "RANKING", "RankingAnswer"]
