"""Answers of models: their options, their reading, and the checks that accept them."""
