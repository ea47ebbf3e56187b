"""Language models behind a small port: LLM tasks, gateway, call log, embeddings."""
