"""Draws a world's Tiled map from plans in text, so that a town can grow by adding plans."""
