"""What users ask of a running simulation, from the request to its event."""
