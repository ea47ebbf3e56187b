"""Migrations of the app `evaluation`."""
