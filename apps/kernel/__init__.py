"""What every app may use: errors, game time, seeded chance, names and text; plain Python."""
