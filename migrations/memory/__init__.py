"""Migrations of the app `memory`."""
