"""Ties between agents: the kind of a tie, and the attitude of an agent to another one."""

from enum import StrEnum


class TieKind(StrEnum):
    """What another agent is to an agent, as far as it matters here."""

    PARTNER = "partner"
    PARENT = "parent"
    CHILD = "child"
    SIBLING = "sibling"
    RELATIVE = "relative"
    FRIEND = "friend"
    HOUSEMATE = "housemate"
    NEIGHBOUR = "neighbour"
    COLLEAGUE = "colleague"
    CLASSMATE = "classmate"
    TEACHER = "teacher"
    STUDENT = "student"
    CUSTOMER = "customer"
    ACQUAINTANCE = "acquaintance"
    BY_NAME = "by-name"


class Standing(StrEnum):
    """How an agent stands to another one, whatever the tie is."""

    LOVE = "love"
    CLOSE = "close"
    FRIENDLY = "friendly"
    NEUTRAL = "neutral"
    COOL = "cool"
    HOSTILE = "hostile"
