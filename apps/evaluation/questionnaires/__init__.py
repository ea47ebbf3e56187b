"""Questionnaires: lists of typed questions, shipped with the service or of users (E1)."""
