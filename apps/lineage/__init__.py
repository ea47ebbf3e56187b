"""Branches: simulations that share the past of other simulations without a copy (V4)."""
