"""Migrations of the app `agents`."""
