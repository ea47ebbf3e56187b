"""Migrations of the app `llm`."""
