"""Experiments: many runs under conditions, measured at moments, in one request."""
