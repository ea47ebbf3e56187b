"""Decisions of a turn: reactions, interventions, knocks, acts with agents, control by users."""
