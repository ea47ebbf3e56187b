"""A small server that speaks the OpenAI protocol, well or badly, as it is told."""
