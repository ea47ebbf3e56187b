"""Statistics of measured values: bootstrap intervals and tests of paired values."""
