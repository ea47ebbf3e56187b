"""What all views share: context, errors, idempotency, limits, pages, ETags, middleware."""
