"""Migrations of the app `archives`."""
