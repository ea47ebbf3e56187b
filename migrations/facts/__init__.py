"""Migrations of the app `facts`."""
