"""Reactions of the rule-based model to what is perceived: danger first, agents last."""

from apps.reaction.chains.decision import DECISION
from apps.rule_model.model import TaskRule
from apps.rule_model.reaction.decision import decision

TASK_RULES: dict[str, TaskRule] = {DECISION.name: decision}
