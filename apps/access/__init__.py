"""Access: API tokens, roles in simulations, Idempotency-Keys and counts of requests."""
