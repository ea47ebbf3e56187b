"""Recordings: a part of a simulation as one HTML file that plays it without a server."""
