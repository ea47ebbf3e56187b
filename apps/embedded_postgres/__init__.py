"""An embedded PostgreSQL with pgvector, for machines without a server."""
