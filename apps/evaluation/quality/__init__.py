"""The quality of a run: counts and checks of its history, made without a model."""
