"""Surveys: a questionnaire asked of agents at past moments under conditions (E1, E2)."""
