"""What users ask of people beside their lives: interviews (paper 3.1.2, 6.1)."""
