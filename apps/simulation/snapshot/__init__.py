"""The world as of the end of a tick, as turns and the lookahead policy read it."""
