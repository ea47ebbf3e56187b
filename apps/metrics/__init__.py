"""Metrics for Prometheus: their definitions, what records them, and how they are exposed."""
