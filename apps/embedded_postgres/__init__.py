"""A PostgreSQL with pgvector of the project's own, for machines that have none."""
