"""Exports for other programs, which are plug-ins."""
