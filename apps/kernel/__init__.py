"""What every app may use: refusals, game time, seeded chance and names; plain Python."""
