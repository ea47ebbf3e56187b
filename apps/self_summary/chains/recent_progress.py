"""Chain: from what comes to mind of a person to how somebody feels about how things go (S1)."""

from apps.self_summary.chains.statements import summary_chain

RECENT_PROGRESS = summary_chain("recent_progress")
