"""The language model behind a small port: chains, gateway, journal, embeddings."""
