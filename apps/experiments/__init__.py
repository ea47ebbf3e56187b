"""Experiments: many runs under conditions, measured at moments, and compared by seed."""
