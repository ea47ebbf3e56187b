"""Migrations of the app `reflection`."""
