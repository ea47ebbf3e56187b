"""Plans: the day in broad strokes, its hours, and the next actions just in time."""
