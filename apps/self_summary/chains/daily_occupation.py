"""Chain: from what comes to mind of a person to what somebody does these days (S1)."""

from apps.self_summary.chains.statements import summary_chain

DAILY_OCCUPATION = summary_chain("daily_occupation")
