"""Model calls: the gateway, the call log, and budgets."""
