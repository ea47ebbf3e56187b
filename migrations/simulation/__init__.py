"""Migrations of the app `simulation`."""
