"""News searches: who knows a piece of news, found by meaning and verified by a model (E4)."""
