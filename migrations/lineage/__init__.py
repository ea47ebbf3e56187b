"""Migrations of the app `lineage`."""
