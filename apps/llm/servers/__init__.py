"""Chat and embedding models behind servers of the OpenAI protocol."""
