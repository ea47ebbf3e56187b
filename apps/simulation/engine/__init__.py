"""The conservative discrete-event engine: which agent may take which turn, and when."""
