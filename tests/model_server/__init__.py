"""A small server of the OpenAI protocol, whose faults a test chooses."""
