"""The summary description that opens the prompts of an agent (S1; paper, appendix A)."""
