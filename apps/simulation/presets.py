"""Presets: named sets of defaults of a simulation's settings, by what an agent-day costs.

`standard` has the defaults of all settings. `docs/how_to/keep_costs_low.md` explains each
value, and `python -m benchmarks.cost_of_presets` measures the three. A setting that a user
gives wins.
"""

from collections.abc import Mapping

from apps.llm.prompts.sets import PromptForm

# The form of prompts for models that name none.
PROMPT_FORMS: Mapping[str, PromptForm] = {"economy": PromptForm.SHORT}

PRESETS: Mapping[str, Mapping[str, int | float | str]] = {
    "economy": {
        "reuse_hours": "always",
        "retrieval_tokens": 600,
        "actions_retrieval_tokens": 100,
        "reaction_pause_minutes": 180,
        "household_pause_minutes": 480,
        "talk_reason_minutes": 20,
        "talk_utterances_max": 8,
        "reflection_threshold": 300,
    },
    "standard": {},
    "rich": {
        "reuse_hours": "none",
        "retrieval_tokens": 2_400,
        "actions_retrieval_tokens": 600,
        "reaction_pause_minutes": 30,
        "household_pause_minutes": 120,
        "reflection_threshold": 100,
        "summary_refresh_hours": 12.0,
    },
}
