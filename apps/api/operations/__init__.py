"""The operation of the service: health, metrics, schema, documentation, front page."""
