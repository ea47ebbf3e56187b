"""Archives: simulations as one file, exported and imported (V5)."""
