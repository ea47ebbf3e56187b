"""The memory stream: what people remember, how much it matters, what comes to mind."""
