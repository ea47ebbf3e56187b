"""Migrations of the app `embodiment`."""
