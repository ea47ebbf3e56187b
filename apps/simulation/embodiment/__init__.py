"""Embodiments: users who control an agent, their action requests, and the outcomes.

The package holds the facts: events, rows, queries and pure rules. The turn and the snapshot
read them, so it lies below both. The commands that append these events may read everything, a
turn included; they lie above it, in `apps.simulation.commands`. The label of the Django app,
"embodiment", names its tables, migrations and event types.
"""
