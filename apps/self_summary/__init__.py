"""The summary description of a person that opens their prompts (paper, appendix A)."""
