"""Migrations of the app `dialogue`."""
