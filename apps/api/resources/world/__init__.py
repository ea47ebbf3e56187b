"""Worlds: the tree and the map of a simulation's world, and the catalogue of all."""
