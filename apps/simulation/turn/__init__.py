"""The turn of one agent at one tick: observe, remember, decide, act."""
