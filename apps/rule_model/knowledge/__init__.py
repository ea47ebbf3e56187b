"""What typed memories say: relationships, news, gatherings, and what an agent works on."""
