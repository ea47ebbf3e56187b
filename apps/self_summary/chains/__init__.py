"""What a summary description asks of the model: three summaries, together (S1)."""

from apps.self_summary.chains.core_characteristics import CORE_CHARACTERISTICS
from apps.self_summary.chains.daily_occupation import DAILY_OCCUPATION
from apps.self_summary.chains.recent_progress import RECENT_PROGRESS

CHAINS = (CORE_CHARACTERISTICS, DAILY_OCCUPATION, RECENT_PROGRESS)
