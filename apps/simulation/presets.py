"""Presets: named sets of defaults of a simulation's settings, by what an agent-day costs.

`standard` has the defaults of all settings. `docs/how_to/keep_costs_low.md` explains each
value, and `python -m benchmarks.cost_of_presets` measures the three. A setting that a user
gives wins.
"""

from collections.abc import Mapping

PRESETS: Mapping[str, Mapping[str, int | float | str]] = {
    "economy": {
        "reuse_hours": "always",
        "retrieval_tokens": 600,
        "actions_retrieval_tokens": 150,
        "reaction_pause_minutes": 120,
        "household_pause_minutes": 480,
        "talk_reason_minutes": 20,
        "reflection_threshold": 250,
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
