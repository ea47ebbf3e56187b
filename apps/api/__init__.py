"""HTTP: translate a request, make one call, translate the answer back."""
