"""Chain: from what comes to mind of a person to who somebody is (S1)."""

from apps.self_summary.chains.statements import summary_chain

CORE_CHARACTERISTICS = summary_chain("core_characteristics")
