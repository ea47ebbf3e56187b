"""Migrations of the app `replays`."""
