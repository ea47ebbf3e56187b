"""Counterfactuals: a branch with interventions, run on and compared, in one request."""
