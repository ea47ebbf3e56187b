"""Replays: turns of a history that are taken again from recorded answers (V5)."""
