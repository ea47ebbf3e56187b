"""The word lists of counting rules that only this benchmark has; each names its section."""

import re

NOT_SERVING = re.compile(
    r"\b(?:waiting|preparing|getting ready|looking out|before|inviting|phoning|calling"
    r"|writing)\b",
    re.IGNORECASE,
)
# What is done with somebody; medicines that "go together" are not.
TOGETHER = re.compile(
    r"\b(?:eating|having|drinking|sitting|walking|talking|watching|playing|singing|cooking"
    r"|reading|washing|clearing|listening|spending)\b.*\btogether\b",
    re.IGNORECASE,
)
# Nouns by which an event is named, and words of what happens every day.
EVENT_NOUN = re.compile(
    r"\b(?:party|concert|feast|wedding|meeting|exhibition|show|reading|picnic|celebration"
    r"|festival|election|match|funeral|fair|premiere|ball)\b",
    re.IGNORECASE,
)
DAILY_WORDS = """
    breakfast lunch dinner supper meal coffee tea drink walk chat class classes course home
    meet eat visit help
"""
# The tense of a sentence about an event.
PAST = re.compile(
    r"\b(?:was|were|had|went|came|did|took|saw|met|made|held|got|sang|gave|left|heard|thought"
    r"|yesterday|last (?:night|evening)|the other day|thanks? (?:you )?for|afterwards"
    r"|after the|(?:clean|clear|tidy|take|put) (?:up|away|down)"
    r"|(?!need|invited|excited|interested)[a-z]{2,}ed)\b",
    re.IGNORECASE,
)
TO_COME = re.compile(
    r"\b(?:will|going to|planning|plans? to|is having|are having|having|tomorrow|next|would you"
    r"|invit(?:e|es|ing|ation)|(?<!declined to )(?<!agreed to )come to|prepar\w+|get ready"
    r"|getting ready|gather\w*|look(?:ing)? forward"
    r"|won't|cannot come|can't come)\b",
    re.IGNORECASE,
)
# 6: templates without content.
TEMPLATE = re.compile(
    r"\b(?:getting ready for|taking a short break|looking over what is done"
    r"|spending time at|going on with|pausing for a moment"
    r"|getting ready what is still missing|doing a part of it once more)\b",
    re.IGNORECASE,
)
# 6: words of a modern town, beside the names of Smallville's own objects; and names of its
# objects that are as good in any other world.
MODERN_WORDS = (
    *("shower", "brushing teeth", "telephone", "phone", "telephoning", "computer", "laptop"),
    *("newspaper", "messages", "email", "ironing", "shirts", "customer", "fridge", "stove"),
    *("refrigerator", "microwave", "television", "online", "espresso", "coffee", "podcast"),
    *("video", "groceries", "pharmacy", "supermarket"),
)
TIMELESS_WORDS = """
    path chair table bed bench shelf garden counter cup
"""
# 5: an undertaking to tell others.
PROMISE = re.compile(
    r"\b(?:I'll|I will|I'm going to|let me) (?:be sure to |\w+ and )?"
    r"(?:pass (?:it|that|this|the word) on|pass on|spread the (?:word|news)|let \w+ know"
    r"|tell (?!you)\w+|mention it|ask (?!you)\w+)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n")


def sentences_of(text: str) -> list[str]:
    """Return the sentences of the text."""
    return [sentence for sentence in _SENTENCE.split(text.strip()) if sentence]
