"""Migrations of the app `experiments`."""
