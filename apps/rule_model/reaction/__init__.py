"""The stand-in's answer to whether somebody goes on or reacts: rules, no language model (L4).

Danger comes first, then damage, then what stands in the way, then people. What it is not:
it weighs nothing but a few patterns, ties found in memories, and chance.
"""

from apps.reaction.chains.decision import DECISION
from apps.rule_model.model import TaskRule
from apps.rule_model.reaction.decision import decision

TASK_RULES: dict[str, TaskRule] = {DECISION.name: decision}
