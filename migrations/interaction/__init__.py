"""Migrations of the app `interaction`."""
