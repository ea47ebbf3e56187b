"""Simulations: the engine that schedules turns, the turns, the commands and the snapshot."""
