"""Migrations of the app `worker`."""
