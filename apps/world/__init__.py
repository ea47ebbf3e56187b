"""The world as data: a tree of places, a tile map, paths, norms, and the loader."""
