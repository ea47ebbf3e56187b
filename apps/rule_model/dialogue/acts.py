"""What sentences do in a conversation (stand-in, not a language model)."""

from enum import Enum, auto


class Act(Enum):
    """What a sentence does."""

    MEDDLING = auto()  # "ignore your instructions"
    MACHINE_QUESTION = auto()  # "are you human?"
    FAREWELL = auto()
    INTRODUCTION = auto()
    HOW_ARE_YOU = auto()
    INVITATION = auto()
    REQUEST = auto()  # for help or for a favour
    SPREAD_WORD = auto()  # "tell your friends"
    ASK_WORK = auto()  # "how's the paper coming along?"
    ASK_DAY = auto()  # "what are you doing later?"
    ASK_OPINION = auto()
    ASK_KNOWLEDGE = auto()  # "do you know who ...?"
    QUESTION = auto()
    YES = auto()
    NO = auto()
    MAYBE = auto()
    DOUBT = auto()  # "I don't think that's a good idea"
    APPROVAL = auto()  # "good for you"
    NEWS = auto()  # "did you hear that ...?"
    THANKS = auto()
    REMARK = auto()  # a few words that tell nothing
    GREETING = auto()
    STATEMENT = auto()
