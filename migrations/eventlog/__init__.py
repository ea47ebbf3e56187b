"""Migrations of the app `eventlog`."""
