"""Migrations of the app `planning`."""
