"""The world at the end of a tick: read by the turn, the lookahead and the interface."""
