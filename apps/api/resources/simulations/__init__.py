"""Simulations: created, listed, run, paused and deleted."""
