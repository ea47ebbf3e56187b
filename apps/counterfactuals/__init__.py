"""Counterfactuals: a branch with interventions, run on and compared with its parent (V4)."""
