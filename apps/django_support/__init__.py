"""Helpers for Django that all apps may use."""
