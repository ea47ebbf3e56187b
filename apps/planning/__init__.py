"""Plans: the outline of a day, its hours, and the next actions (paper 4.3)."""
