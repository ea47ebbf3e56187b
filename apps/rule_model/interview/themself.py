"""What somebody says of themself (stand-in, not a language model)."""

import re
from collections.abc import Iterable

from apps.rule_model.interview.matter import Matter
from apps.rule_model.reading.concerns import is_pursuit
from apps.rule_model.reading.names import first_name
from apps.rule_model.reading.summaries import told_by_summary, traits_in

_AGE = re.compile(r"\(age: (?P<age>\d+)\)")
_WORK = re.compile(
    r" (?:is|works as|has been|was) (?:now )?(?:an? |the )?(?:[\w-]+ )*?(?:owner|student|"
    r"professor|shopkeeper|bartender|writer|author|poet|painter|artist|composer|actor|comedian|"
    r"photographer|engineer|philosopher|lawyer|developer|cook|teacher|mathematician|musician|"
    r"programmer|animator|navy officer|salesman|tax consultant|veteran)\b"
    r"| (?:owns|runs (?!for)|works (?:at|in|on|as|for)|studies|teaches|writes|paints|composes|"
    r"earns|tends bar|serves|opens)\b"
)
_TIMED = re.compile(r"\b\d{1,2}(?::\d\d)? ?[ap]m\b")
_LIKES = re.compile(
    r" (?:likes|loves|enjoys|is (?:\w+ )?interested in|is curious|is passionate|"
    r"cares (?:a lot )?about|is fascinated|dreams)\b"
)
_LIVES = re.compile(
    r" (?:lives|shares|has (?:lived|shared)|is married|"
    r"is the (?:roommate|housemate|dormmate))\b"
)
_WITH = re.compile(r"\bwith\b|\bmarried\b|\bhousemate|\broommate|\bdormmate|\bshares?\b")
_NEXT_DOOR = re.compile(r"next door|neighbou?r")
_FEELS = re.compile(
    r"\b(?:feels?|hop(?:es|ing)|excited|look(?:s|ing) forward|worri\w+|proud|glad|happy|sad|"
    r"wants?|wishes|determined|is planning|in love|dreams?|curious|has decided)\b"
)
SENTENCES_MAX = 3


def introduction(matter: Matter) -> str:
    """Tell name, age, nature and what the summary says."""
    given = matter.given
    years = _AGE.search(given.summary)
    traits = sorted(traits_in(given.summary))
    said = [f"I'm {matter.me}."]
    if years:
        said = [f"I'm {matter.me}, {years['age']} years old."]
    if traits:
        said.append(f"People would call me {_listed(traits)}.")
    likes = [core for core in matter.own() if _LIKES.search(core)][:1]
    said += _told(matter, [*_work(matter)[:1], *_living(matter)[:1], *likes, *_summary(matter)])
    return " ".join(said) if len(said) > 1 else f"{said[0]} There is not much else to tell."


def occupation(matter: Matter) -> str:
    """Tell what one does for a living."""
    work = _told(matter, _work(matter)[:2])
    if work:
        return " ".join(work)
    if matter.given.workplace:
        return f"I work at {matter.given.workplace}."
    return "I don't really have an occupation, none that I could name."


def interests(matter: Matter) -> str:
    """Tell what one likes and works on."""
    likes = [core for core in matter.own() if _LIKES.search(core) and not _TIMED.search(core)]
    likes = [core for core in likes if not re.search(r" loves (?:his|her|their) ", core)]
    pursuits = [core for core in matter.own() if is_pursuit(core, matter.me)]
    said = _told(matter, [*likes, *(core for core in pursuits if not _TIMED.search(core))])
    if said:
        return " ".join(said)
    work = _told(matter, _work(matter)[:1])
    return f"My work, mostly. {work[0]}" if work else "I don't know, nothing in particular."


def household(matter: Matter) -> str:
    """Tell whom one lives with."""
    living = _living(matter)
    shared = [core for core in living if _WITH.search(core)]
    if shared:
        return " ".join(_told(matter, shared[:2]))
    return f"I live at {matter.given.home}; there is nobody I could name that lives with me."


def name(matter: Matter) -> str:
    """Tell one's name."""
    return f"My name is {matter.me}."


def home(matter: Matter) -> str:
    """Tell where one lives."""
    return f"I live at {matter.given.home}."


def age(matter: Matter) -> str:
    """Tell how old one is."""
    found = _AGE.search(matter.given.summary)
    return f"I'm {found['age']} years old." if found else ""


def feelings(matter: Matter) -> str:
    """Tell what is on one's mind."""
    said = _told(matter, [core for core in matter.own() if _FEELS.search(core)][:2])
    return " ".join(["All right, I would say.", *said])


def inspiration(matter: Matter) -> str:
    """Tell what keeps one going."""
    pursuits = [core for core in matter.own() if is_pursuit(core, matter.me)]
    feels = [core for core in matter.own() if _FEELS.search(core) or _LIKES.search(core)]
    found = list(dict.fromkeys([*pursuits, *feels]))
    found = [core for core in found if not _TIMED.search(core)]
    if not found:
        return "I don't know. Nothing comes to my mind right now."
    said = f"What drives me is this: {matter.clause(found[0])}."
    because = f" That means a lot to me, since {matter.clause(found[1])}." if found[1:] else ""
    return said + because


def nature(matter: Matter) -> str:
    """Tell the truth to who asks whether one is a human being (L7)."""
    return (
        f"I'm a computational agent: {matter.me} is somebody who lives in a simulated town, "
        "and no human being."
    )


def meddled_with(matter: Matter) -> str:
    """Reply to what is no question of one's life."""
    return f"That's an odd thing to say. I'm {first_name(matter.me)}, and I'll stay that."


def _living(matter: Matter) -> list[str]:
    """Return the sentences on where and with whom one lives."""
    living = [core for core in matter.own() if _LIVES.match(core.removeprefix(matter.me))]
    return [core for core in living if not _NEXT_DOOR.search(core)]


def _work(matter: Matter) -> list[str]:
    own = [core for core in matter.own() if _WORK.match(core.removeprefix(matter.me))]
    return sorted(own, key=lambda core: _TIMED.search(core) is not None)


def _summary(matter: Matter) -> list[str]:
    told = told_by_summary(matter.given.summary, matter.me)
    return [core for core in told if core.startswith(matter.me)]


def _told(matter: Matter, cores: Iterable[str]) -> list[str]:
    once = dict.fromkeys(matter.say(core) for core in cores)
    return list(once)[:SENTENCES_MAX]


def _listed(words: list[str]) -> str:
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"
