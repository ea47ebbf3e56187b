"""Whether somebody speaks to whom they see, and why (stand-in, not a language model)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from apps.reaction.chains.decision import Decision, MomentToJudge, Observed
from apps.rule_model.model import Chance
from apps.rule_model.reaction import tendencies
from apps.rule_model.reading.concerns import is_answered, is_pursuit, question_in
from apps.rule_model.reading.gatherings import Gathering, gathering_in
from apps.rule_model.reading.messages import messages_for
from apps.rule_model.reading.moments import moment_of
from apps.rule_model.reading.news import News, news_in, strength_of, told_in
from apps.rule_model.reading.summaries import told_by_summary, traits_in
from apps.rule_model.reading.ties import Closeness, Tie, tie_to
from apps.rule_model.reading.topics import stems_of, topic_of

# What is milder is no reason to walk up to somebody.
NEWS_STRENGTH_MIN = 4.5
_TO_EVERYBODY = re.compile(
    r"^ (?:invites|tells|asks) (?:everyone|everybody|all|(?:his|her|their) neighbou?rs)\b"
)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why one would speak to somebody, as an intent, and how likely one does for it.

    What `presses` is said in the middle of other things, too. What `is_message` was decided
    to be said to this very one.
    """

    what: str
    weight: float
    is_news: bool = False
    presses: bool = False
    is_message: bool = False


def to_talk(given: MomentToJudge, chance: Chance) -> Decision | None:
    """Return whom the person speaks to and why, None if to nobody."""
    best, margin = None, 0.0
    for number, seen in enumerate(given.observed, start=1):
        if not seen.may_talk or not seen.name:
            continue
        reason, likely = _likelihood(given, seen, chance)
        ahead = likely - chance.unit("talks", seen.name)
        if reason is not None and ahead > margin:
            best, margin = (number, reason), ahead
    if best is None:
        return None
    return Decision(choice="talk", observation=best[0], what=best[1].what, place="", minutes=0)


def reasons(given: MomentToJudge, seen: Observed, tie: Tie) -> Iterator[Reason]:
    """Yield the reasons to speak to the person seen."""
    known = _known(given)
    is_new = tie.closeness is Closeness.STRANGER and seen.minutes_since_talk is None
    approach = "get to know" if is_new else "greet"
    yield Reason(f"{approach} {seen.name}", tendencies.GREETS[tie.closeness])
    nearness = tendencies.NEARNESS[tie.closeness]
    if any(_TO_EVERYBODY.match(memory.removeprefix(given.agent_name)) for memory in known):
        nearness = max(nearness, tendencies.NEARNESS_TO_ALL)
    yield from _meant(given, seen, known, tie)
    for reason in (
        *_news(given, seen, known, in_love=tie.in_love),
        *_questions(given, seen, known),
    ):
        yield replace(reason, weight=reason.weight * nearness)


def _likelihood(
    given: MomentToJudge, seen: Observed, chance: Chance
) -> tuple[Reason | None, float]:
    """Return what the person has in mind, and how likely they say it."""
    since = seen.minutes_since_talk
    if since is not None and since < tendencies.TALKED_MINUTES_MIN:
        return None, 0.0
    tie = tie_to(seen.name, given.agent_name, _known(given))
    found = list(reasons(given, seen, tie))
    strongest = max(found, key=lambda reason: reason.weight)
    likely = strongest.weight * _mood(given, tie)
    room = tendencies.room_for_talk(given.status) * tendencies.room_for_talk(seen.sentence)
    likely *= (
        max(room, tendencies.ROOM_FOR_WHAT_PRESSES) if room and strongest.presses else room
    )
    message = next((reason for reason in found if reason.is_message), None)
    reason = message or _drawn(found, chance.unit("why", seen.name))
    if since is not None and since < tendencies.SAME_DAY_MINUTES and message is None:
        likely *= tendencies.AGAIN_WITH_NEWS if reason.is_news else tendencies.AGAIN
    return reason, likely


def _drawn(found: Sequence[Reason], drawn: float) -> Reason:
    """Return a reason, each as likely as it weighs."""
    left = drawn * sum(reason.weight for reason in found)
    for reason in found:
        left -= reason.weight
        if left <= 0:
            return reason
    return found[-1]


def _mood(given: MomentToJudge, tie: Tie) -> float:
    """Return how traits and feelings make a talk more or less likely."""
    traits = traits_in(given.summary)
    mood = tendencies.OUTGOING if traits & tendencies.OUTGOING_TRAITS else 1.0
    mood *= tendencies.SHY if traits & tendencies.SHY_TRAITS else 1.0
    mood *= tendencies.IN_LOVE if tie.in_love else 1.0
    return mood * (tendencies.DISLIKED if tie.dislikes else 1.0)


def _news(
    given: MomentToJudge, seen: Observed, known: Sequence[str], *, in_love: bool
) -> Iterator[Reason]:
    """Yield invitations to what is to come, and news that the other has not heard."""
    me, now = given.agent_name, moment_of(given.now)
    today = now.date() if now else date.min
    for news in news_in(known, now, (me, seen.name)):
        if _knows(given, seen, news):
            continue
        gathering = gathering_in([news.core], today)
        is_mine = gathering is not None and gathering.host == me
        if gathering is not None and gathering.when.day and (is_mine or in_love):
            weight = tendencies.INVITES if is_mine else tendencies.INVITES_LOVE
            yield Reason(f"invite {seen.name} to {_called(gathering, me)}", weight, True)
            continue
        if strength_of(news.core, news.subject) > NEWS_STRENGTH_MIN:
            presses = _is_decided(news, me, known)
            usual = tendencies.TELLS_NEWS * min(news.worth / 10, 1) * _gossip(news, me, known)
            weight = tendencies.TELLS_DECISION if presses else usual
            yield Reason(f"tell {seen.name} that {news.core}", weight, True, presses)


def _meant(
    given: MomentToJudge, seen: Observed, known: Sequence[str], tie: Tie
) -> Iterator[Reason]:
    """Yield what the person has decided to say to this very one."""
    said = (seen.last_talk,)
    for what in messages_for(seen.name, given.agent_name, known, kin=tie.kin, said=said):
        yield Reason(what, tendencies.SAYS_AS_DECIDED, True, True, True)


def _is_decided(news: News, me: str, known: Sequence[str]) -> bool:
    """Whether the news is what the person has made up their own mind to do."""
    decided = (memory for memory in known if memory.startswith(f"{me} has decided to "))
    return news.subject == me and any(news.is_in(memory) for memory in decided)


def _gossip(news: News, me: str, known: Sequence[str]) -> float:
    """Return how gladly news of somebody is told, by whether it is one's own."""
    if news.subject == me:
        return 1.0
    is_stranger = tie_to(news.subject, me, known).closeness is Closeness.STRANGER
    return tendencies.GOSSIP_OF_STRANGERS if is_stranger else tendencies.GOSSIP


def _called(gathering: Gathering, me: str) -> str:
    """Return the gathering in full; one's own is "the party"."""
    return gathering.in_full.replace(f"{me}'s ", "the ", 1)


def _knows(given: MomentToJudge, seen: Observed, news: News) -> bool:
    """Whether the other one is in it, has told it, or has talked of it with the person."""
    if news.is_known_to(seen.name) or news.is_in(seen.last_talk):
        return True
    both = (given.agent_name, seen.name)
    talks = (m for m in given.memories if " talked " in m and all(name in m for name in both))
    return any(news.is_in(talk) for talk in talks)


def _questions(given: MomentToJudge, seen: Observed, known: Sequence[str]) -> Iterator[Reason]:
    """Yield what the person wants to know of everybody, and of this one."""
    for memory in known:
        core = told_in(memory).core
        topic = topic_of(core, seen.name) if is_pursuit(core, seen.name) else ""
        if topic.startswith(f"{seen.name}'s "):
            yield Reason(f"ask {seen.name} about {topic}", tendencies.ASKS_ABOUT_WORK)
        question = question_in(memory, given.agent_name)
        is_fresh = not stems_of(question) <= stems_of(seen.last_talk)
        if question and is_fresh and not is_answered(question, known):
            yield Reason(f"ask {seen.name} {question}", tendencies.ASKS_AROUND)


def _known(given: MomentToJudge) -> tuple[str, ...]:
    return (*given.memories, *told_by_summary(given.summary, given.agent_name))
