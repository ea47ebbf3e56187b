"""Who may drive the service: API tokens, and whose a simulation is."""
