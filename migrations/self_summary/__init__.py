"""Migrations of the app `self_summary`."""
