"""What was agreed to and what declined in a conversation (stand-in, no language model).

Nothing counts as agreed without a proposal of the other one, a yes to it, and a time; whoever
says of themself that they come to what was spoken of agrees as well.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from apps.dialogue.chains.takeaways import COMMITMENTS_MAX, Commitment
from apps.rule_model.dialogue.acts import Act
from apps.rule_model.dialogue.plain_news import coming_in
from apps.rule_model.dialogue.talk import Proposal, Talk
from apps.rule_model.reading.gatherings import gathering_in
from apps.rule_model.reading.moments import MINUTES_OF_DAY, When, when_in
from apps.rule_model.reading.persons import in_third_person
from apps.rule_model.reading.topics import place_in

# How long what has no end is taken to last.
HOUR = 60
_WHEN_BEHIND = re.compile(
    r",? (?:on (?:\w+, )?[A-Z]\w+ \d|on \w+day|tomorrow|today|tonight|this \w+|"
    r"(?:from|at|around) \d)\b.*"
)


def agreed(talk: Talk) -> list[Commitment]:
    """Return what the one who looks back has agreed to do at a time."""
    found: dict[str, Commitment] = {}
    for proposal in (*talk.proposals(by=talk.you), *_shared(talk), *_joined(talk)):
        if proposal.answer is Act.YES and not proposal.is_settled:
            commitment = _commitment(talk, proposal)
            if commitment is not None:
                found[commitment.activity] = commitment
    return list(found.values())[:COMMITMENTS_MAX]


def declined(talk: Talk) -> list[str]:
    """Return what the one who looks back has said no to."""
    refused = (p for p in talk.proposals(by=talk.you) if p.answer is Act.NO)
    return list(dict.fromkeys(activity(talk, proposal) for proposal in refused))


def activity(talk: Talk, proposal: Proposal) -> str:
    """Return what was proposed as an infinitive, without when."""
    if proposal.said.act is Act.INVITATION and proposal.gathering is not None:
        return proposal.gathering.deed
    asked = in_third_person(
        proposal.said.heard.about or "do something", proposal.said.speaker, talk.me
    )
    return _WHEN_BEHIND.sub("", asked.replace("together", "")).strip(" ?.") or "come along"


def _shared(talk: Talk) -> Iterator[Proposal]:
    """Yield what one has asked the other to come along to: who asks so comes, too."""
    for proposal in talk.proposals(by=talk.me):
        gathering = proposal.gathering
        if gathering is not None and gathering.host not in (talk.me, talk.you, ""):
            yield proposal


def _joined(talk: Talk) -> Iterator[Proposal]:
    """Yield what one has said to come to without being asked, once it had been told of."""
    if talk.proposals(by=talk.you):
        return
    for one in talk.by(talk.me):
        gathering = gathering_in((other.core for other in talk.said), talk.today)
        if gathering is not None and coming_in(one):
            said = replace(one, heard=replace(one.heard, act=Act.INVITATION))
            yield Proposal(said, gathering, Act.YES)


def _commitment(talk: Talk, proposal: Proposal) -> Commitment | None:
    when = _when(talk, proposal)
    if when.start is None:
        return None
    end = when.end if when.end is not None else when.start + HOUR
    gathering = proposal.gathering
    in_words = place_in(proposal.said.core)
    return Commitment(
        activity=activity(talk, proposal),
        place=(gathering.place if gathering and _is_invitation(proposal) else in_words),
        date=(when.day or talk.today).isoformat(),
        starts=_clock(when.start),
        ends=_clock(min(end, MINUTES_OF_DAY)),
    )


def _when(talk: Talk, proposal: Proposal) -> When:
    if proposal.gathering is not None and _is_invitation(proposal):
        return proposal.gathering.when
    return when_in(proposal.said.core, talk.today)


def _is_invitation(proposal: Proposal) -> bool:
    return proposal.said.act is Act.INVITATION


def _clock(minute: int) -> str:
    return f"{minute // HOUR:02d}:{minute % HOUR:02d}"
