"""The LLM tasks that the rule-based model answers, each with its rule."""

from functools import partial

from apps.dialogue.llm_tasks.takeaways import TAKEAWAYS
from apps.dialogue.llm_tasks.utterance import UTTERANCE
from apps.interaction.llm_tasks import ANSWER, CHOICE, NUMBER
from apps.interaction.supported_values import with_supported_value
from apps.memory.llm_tasks.facts import FACTS
from apps.memory.llm_tasks.importance import IMPORTANCE
from apps.memory.llm_tasks.summaries import SUMMARIES
from apps.planning.llm_tasks.day_outline import DAY_OUTLINE
from apps.planning.llm_tasks.hour_actions import HOUR_ACTIONS
from apps.planning.llm_tasks.hourly_plan import HOURLY_PLAN
from apps.planning.llm_tasks.own_thought import OWN_THOUGHT
from apps.planning.llm_tasks.revised_hours import REVISED_HOURS
from apps.reaction.judged_states import STATE
from apps.reaction.llm_tasks import DECISION
from apps.reflection.llm_tasks.consolidation import CONSOLIDATION
from apps.reflection.llm_tasks.insights import INSIGHTS
from apps.reflection.llm_tasks.questions import QUESTIONS
from apps.rule_model.consolidation import consolidation
from apps.rule_model.content import Content
from apps.rule_model.dialogue.takeaways import takeaways
from apps.rule_model.dialogue.utterance import utterance
from apps.rule_model.facts import lasting_facts
from apps.rule_model.interview import answer
from apps.rule_model.memory import importance, summaries
from apps.rule_model.model import TaskRule
from apps.rule_model.planning.hour_actions import hour_actions
from apps.rule_model.planning.hours import hourly_plan, revised_hours
from apps.rule_model.planning.outline import day_outline
from apps.rule_model.planning.own_thought import own_thought
from apps.rule_model.reaction import decision, judged_state
from apps.rule_model.reflection import insights, questions


def task_rules(content: Content) -> dict[str, TaskRule]:
    """Return the rule of each task; those of planning have the vocabulary of the content."""
    return {
        IMPORTANCE.name: importance,
        SUMMARIES.name: summaries,
        FACTS.name: lasting_facts,
        UTTERANCE.name: utterance,
        TAKEAWAYS.name: takeaways,
        DECISION.name: decision,
        STATE.name: judged_state,
        QUESTIONS.name: questions,
        INSIGHTS.name: insights,
        CONSOLIDATION.name: consolidation,
        ANSWER.name: answer,
        CHOICE.name: partial(with_supported_value, answer=answer),
        NUMBER.name: partial(with_supported_value, answer=answer),
        DAY_OUTLINE.name: partial(day_outline, content=content),
        HOURLY_PLAN.name: partial(hourly_plan, content=content),
        REVISED_HOURS.name: partial(revised_hours, content=content),
        OWN_THOUGHT.name: own_thought,
        HOUR_ACTIONS.name: partial(hour_actions, content=content),
    }
