"""Perform: plan, act, walk, knock, and meet refusals."""
