"""Plots of a history as SVG, read by the queries of the apps as of a moment."""
