"""Migrations of the app `access`."""
