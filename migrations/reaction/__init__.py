"""Migrations of the app `reaction`."""
