"""The language model behind a small port: chains, gateway, call_log, embeddings."""
