"""Bounds of memories. Changing one changes histories."""

IMPORTANCE_MIN = 1
IMPORTANCE_MAX = 10

# The importance of routine sights and own routine, without a call of the model (M3).
ROUTINE_IMPORTANCE = 1

# The importance of what an agent has left at an object and of a remark that asks and tells
# nothing; of other sights that are more than routine: a stranger, a talk of others, a guest.
LEFT_IMPORTANCE = REMARK_IMPORTANCE = 2
NOTED_IMPORTANCE = 3

# The sight of an action of another agent up to this importance is left out of talks with it.
SIGHT_IMPORTANCE_MAX = 4

# The importance after invalid answers of the model (L2): a little above the mundane.
FALLBACK_IMPORTANCE = 3

# The importance of a memory that is not rated yet, in reads that cannot rate it (ADR 30).
UNRATED_IMPORTANCE = FALLBACK_IMPORTANCE

# A prompt for ratings has an example of the agent's own for each of these.
ANCHOR_IMPORTANCES = (2, 5, 8)

# Prompts have the plan of the day and what was done of it, so that the memory of a plan matters
# little.
PLAN_IMPORTANCE = 2

DESCRIPTION_CHARACTERS_MAX = 2_000
MEMORIES_PER_REQUEST_MAX = 50
MEMORIES_PER_PROMPT_MAX = 100
# The ranked memories of which routine and repetitions are left out for a prompt.
CANDIDATES_MAX = 300
RETRIEVAL_TOKENS_DEFAULT = 1_200
RECENT_MEMORIES_DEFAULT = 100
# The latest ends of agreements that a prompt has besides what is retrieved.
ENDED_MEMORIES_MAX = 3

# Of days that are condensed, memories up to this importance are left out of recent memories.
CONDENSED_IMPORTANCE_MAX = 4
# The tick of the last consolidation before the first one.
NEVER_CONDENSED = -1
# A condensed memory is retrieved from this scaled relevance on.
CONDENSED_RELEVANCE_MIN = 0.5
# A phrase of the description comes to mind in a moment from this scaled relevance on.
STATEMENT_RELEVANCE_MIN = 0.5

# What an agent has put right: a danger, which is told to others, and any other state.
RESCUE_IMPORTANCE, REPAIR_IMPORTANCE = 7, 4
