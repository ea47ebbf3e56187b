"""Migrations of the app `metrics`."""
