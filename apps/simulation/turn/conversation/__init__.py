"""Converse: speak, listen, part and leave."""
