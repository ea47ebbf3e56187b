"""Migrations of the app `counterfactuals`."""
