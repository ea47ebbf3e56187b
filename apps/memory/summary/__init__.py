"""The summary description of an agent (S1; paper, appendix A)."""
