"""Prompt templates by language and form, and the code that fills them."""
