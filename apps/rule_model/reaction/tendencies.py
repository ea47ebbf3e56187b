"""How likely people speak to one another: the few figures that a town is tuned by.

Part of the stand-in, not a language model. Each likelihood is for one look at a person,
which comes at most once an hour; what both do, their traits and when they talked last make
it smaller or larger.
"""

import re

from apps.rule_model.reading.ties import Closeness

# Why one speaks to somebody, and how likely: the strongest reason counts.
SAYS_AS_DECIDED = 1.0
TELLS_DECISION = 0.9
INVITES = 0.8
INVITES_LOVE = 0.7
TELLS_NEWS = 0.4  # of news that is worth 10
# What others are about is told less gladly, least of all of somebody one hardly knows.
GOSSIP, GOSSIP_OF_STRANGERS = 0.2, 0.07
ASKS_AROUND = 0.1
ASKS_ABOUT_WORK = 0.4
GREETS = {
    Closeness.STRANGER: 0.1,
    Closeness.ACQUAINTED: 0.27,
    Closeness.FRIEND: 0.45,
    Closeness.CLOSE: 0.5,
    Closeness.FAMILY: 0.4,
}
# How a reason other than a greeting weighs, by how close the two are.
NEARNESS = {
    Closeness.STRANGER: 0.15,
    Closeness.ACQUAINTED: 0.7,
    Closeness.FRIEND: 1.0,
    Closeness.CLOSE: 1.1,
    Closeness.FAMILY: 1.0,
}
# Who means to tell everybody does not mind whom.
NEARNESS_TO_ALL = 1.0
IN_LOVE, DISLIKED = 1.5, 0.05
OUTGOING, SHY = 1.3, 0.6
OUTGOING_TRAITS = frozenset(
    {"outgoing", "friendly", "hospitable", "enthusiastic", "energetic", "cheerful", "loud"}
)
SHY_TRAITS = frozenset({"shy", "introverted", "quiet", "reserved", "independent", "eccentric"})

# Nobody speaks again to whom they have just talked with.
TALKED_MINUTES_MIN = 90
SAME_DAY_MINUTES = 14 * 60
AGAIN_WITH_NEWS, AGAIN = 0.25, 0.06

# How much room what somebody does leaves for a talk; the first that fits counts.
OTHERWISE = 0.6
ROOM_FOR_WHAT_PRESSES = 0.8
ROOM_FOR_TALK = tuple(
    (re.compile(pattern, re.IGNORECASE), room)
    for pattern, room in (
        (r"asleep|sleeping|shower|toilet|bath\b|washing (?:up )?(?:him|her)self|dressed", 0.0),
        (r"in class|classes|teach\w*|lectur\w+|exam\b|seminar", 0.05),
        (r"perform\w*|stream\w*|filming|rehears\w+|on stage", 0.1),
        (r"talking with|in a hurry|running|telephon\w+|meeting", 0.15),
        (r"party|celebrat\w+|guests|danc\w+", 1.4),
        (r"breakfast|lunch|dinner|eating|meal|coffee|drink\w*|\bpub\b|\bbar\b|tea\b", 1.2),
        (r"customers?|counter|serv\w+|menu|order\w*", 1.1),
        (r"walk in|takes? a walk|taking a walk|park|garden|bench|strolling", 1.2),
        (r"buy\w*|shopping|groceries|shelves", 0.9),
        (r"getting ready for bed|waking|wakes up|bed\b", 0.2),
        (
            r"writ\w+|work\w*|stud\w+|read\w*|paint\w*|compos\w+|draw\w*|edit\w*|program\w*",
            0.35,
        ),
    )
)
WAITS_FOR_ROOM, WAITS_ON = 0.65, 0.3
MENDS, MENDS_LEAK = 0.6, 0.95


def room_for_talk(doing: str) -> float:
    """Return how much room what somebody does leaves for a talk."""
    return next((room for pattern, room in ROOM_FOR_TALK if pattern.search(doing)), OTHERWISE)
