"""Whether what somebody perceives changes what they do: weigh it, then talk or act (X1, X2)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from apps.agents import queries as agent_queries
from apps.agents.events import ObjectRighted
from apps.kernel.game_time import spoken_clock, spoken_time
from apps.planning.revision import FirstThing
from apps.planning.surroundings import known_areas, known_places
from apps.planning.words import chosen
from apps.reaction import commands as reaction
from apps.reaction import queries as reaction_queries
from apps.reaction.chains.decision import MomentToJudge, Observed
from apps.reaction.commands import Reaction
from apps.reaction.events import Weighed
from apps.simulation.snapshot.alarms import is_alarming
from apps.simulation.snapshot.perception import InView
from apps.simulation.turn.act import WAITING_EMOJI
from apps.simulation.turn.context import Turn
from apps.simulation.turn.converse import break_off, open_talk
from apps.simulation.turn.plan import (
    next_hours,
    next_hours_in_words,
    revise_plans,
    summary_of,
)
from apps.simulation.turn.relationships import (
    about_them,
    last_talk_in_words,
    minutes_since_talk,
    name_of,
)

PURPOSE = "reaction.decision"
OBSERVED_MAX = 3
# The memories of all that is weighed together share the budget of a prompt.
SHARES_OF_BUDGET = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighable:
    """Something perceived that may change what the person does, and whose it is."""

    subject: str
    observed: Observed
    source: str


def react_to_alarm(turn: Turn, news: Sequence[InView]) -> bool:
    """Weigh the dangers among what is new, whatever the person is doing; say if they act."""
    alarms = [seen for seen in news if seen.sight.is_object and _is_alarm(seen)]
    return _react(turn, [_thing(turn, seen) for seen in alarms])


def react_to(turn: Turn, found: Sequence[Weighable]) -> bool:
    """Weigh what the person is told that they perceive, however lately they weighed (U6)."""
    return _react(turn, found)


def react(turn: Turn, news: Sequence[InView]) -> bool:
    """Weigh what is new and was not weighed lately; say whether the person does (X1, X3)."""
    return _react(turn, list(_worth_weighing(turn, news)))


def react_to_obstacle(turn: Turn) -> bool:
    """Weigh, after a wait, whether to wait on for what cannot be had; say if not (X4)."""
    action = turn.action
    if action is None or not turn.is_over or action.emoji != WAITING_EMOJI:
        return False
    refused = agent_queries.latest_refusal(
        turn.constants.simulation_id, turn.identity.slug, tick=action.from_tick
    )
    if refused is None or not _unweighed(turn, [refused.node]):
        return False
    observed = Observed(sentence=refused.why, is_obstacle=True)
    return _react(turn, [Weighable(subject=refused.node, observed=observed, source="")])


def right_what_was_minded(turn: Turn) -> None:
    """Note that the person has done what they meant to do about an object's state.

    Only who has reacted to the state rights it: who just uses the object does not.
    """
    action = turn.action
    if action is None or not action.object or not turn.is_over:
        return
    state = turn.view.set_state_of(action.object)
    if state is None or state.from_tick >= action.from_tick:
        return
    if reaction_queries.has_acted_on(
        turn.constants.simulation_id,
        turn.identity.slug,
        subject=action.object,
        since_tick=state.from_tick,
        as_of_tick=turn.before,
    ):
        turn.say(ObjectRighted(object=action.object, since=state.event), cause=action.event)


def _react(turn: Turn, found: Sequence[Weighable]) -> bool:
    is_alarmed = any(one.observed.is_alarming for one in found)
    if not found or not (is_alarmed or next_hours(turn)):
        return False  # whoever has no plan yet makes one first
    decided = reaction.weigh(turn.mind, _moment(turn, found))
    about = found[0 if decided is None else decided.observation]
    weighed = turn.say(
        Weighed(
            subjects=tuple(one.subject for one in found),
            choice=_choice(decided),
            about=about.subject,
            what="" if decided is None else decided.what,
        ),
        cause=about.source,
    )
    if decided is None:
        return False
    break_off(turn)
    if decided.is_talk:
        open_talk(turn, about.subject, intent=decided.what, cause=weighed)
    else:
        _act(turn, about, decided, cause=weighed)
    return True


def _act(turn: Turn, about: Weighable, decided: Reaction, *, cause: str) -> None:
    """Do it at once and plan the rest of the day anew from there (X2)."""
    revise_plans(
        turn,
        happened=(
            f"{turn.identity.name} perceived that {about.observed.sentence}, and decided to "
            f"{decided.what}"
        ),
        first=FirstThing(
            description=decided.what,
            place=_place(turn, about, decided),
            ticks=turn.constants.calendar.ticks_of(minutes=decided.minutes),
        ),
        cause=cause,
    )


def place_decided(turn: Turn, words: str) -> str:
    """Return the known place that the words mean, else where the person is."""
    return chosen(words, _known_places(turn)) or turn.area or turn.identity.home


def _place(turn: Turn, about: Weighable, decided: Reaction) -> str:
    """Return where it is done: as decided if that is known, else by the object, else here.

    What is done in place of waiting is done outside what one waits for.
    """
    tree = turn.constants.world.tree
    default = turn.area or turn.identity.home
    if about.subject in tree and not about.observed.is_obstacle:
        node = tree.node(about.subject)
        default = tree.area_of(about.subject) if node.path != turn.area else turn.area
    return chosen(decided.place, _known_places(turn)) or default


def _moment(turn: Turn, found: Sequence[Weighable]) -> MomentToJudge:
    return MomentToJudge(
        agent_name=turn.identity.name,
        summary=summary_of(turn),
        now=spoken_time(turn.now),
        place=turn.constants.world.tree.words(turn.area) if turn.area else "the street",
        status=status_of(turn),
        next_plans=next_hours_in_words(turn),
        observed=tuple(one.observed for one in found),
        memories=tuple(_context(turn, found)),
        known_places=tuple(_known_places(turn)),
    )


def _context(turn: Turn, found: Sequence[Weighable]) -> list[str]:
    """Return what comes to mind of those observed and of what they do (X1), each once.

    And, where somebody could be told, what the person has to tell.
    """
    budget = turn.constants.settings.retrieval_tokens // SHARES_OF_BUDGET
    memories = []
    for one in found:
        if one.observed.name:
            memories += about_them(turn, one.subject, PURPOSE, token_budget=budget)
        memories += turn.recollection.recall(
            one.observed.sentence, PURPOSE, token_budget=budget
        )
    if any(one.observed.may_talk for one in found):
        news = f"news that {turn.identity.name} has heard or wants to tell"
        memories += turn.recollection.recall(news, PURPOSE, token_budget=budget)
    return list(dict.fromkeys(memory.description for memory in memories))


def _worth_weighing(turn: Turn, news: Sequence[InView]) -> Iterator[Weighable]:
    """Yield people who are free to be spoken to, and objects whose state was set."""
    candidates = [seen for seen in news if _may_matter(turn, seen)]
    unweighed = _unweighed(turn, [seen.sight.subject for seen in candidates])
    chosen_few = [seen for seen in candidates if seen.sight.subject in unweighed]
    for seen in chosen_few[:OBSERVED_MAX]:
        yield _thing(turn, seen) if seen.sight.is_object else _person(turn, seen)


def _may_matter(turn: Turn, seen: InView) -> bool:
    if seen.sight.is_object:
        return turn.view.set_state_of(seen.sight.subject) is not None
    return is_free(turn, seen.sight.subject)


def is_free(turn: Turn, other: str) -> bool:
    """Whether somebody is awake and in no conversation, in a town that talks at all."""
    if not turn.constants.settings.talk_utterances_max:
        return False
    return not turn.view.is_asleep(other) and turn.view.talk_of(other) is None


def _unweighed(turn: Turn, subjects: Iterable[str]) -> frozenset[str]:
    """Return the subjects that the person was not asked about lately (X3)."""
    subjects = frozenset(subjects)
    pause = turn.constants.settings.reaction_pause_minutes
    if not subjects or not pause:
        return subjects
    return subjects - reaction_queries.weighed_since(
        turn.constants.simulation_id,
        turn.identity.slug,
        since_tick=turn.tick - turn.constants.calendar.ticks_of(minutes=pause),
        as_of_tick=turn.before,
    )


def _person(turn: Turn, seen: InView) -> Weighable:
    other = seen.sight.subject
    return Weighable(
        subject=other,
        observed=Observed(
            sentence=seen.sight.description,
            name=name_of(turn, other),
            may_talk=is_free(turn, other),
            last_talk=last_talk_in_words(turn, other),
            minutes_since_talk=minutes_since_talk(turn, other),
        ),
        source=seen.source,
    )


def _thing(turn: Turn, seen: InView) -> Weighable:
    node = turn.constants.world.tree.node(seen.sight.subject)
    return Weighable(
        subject=node.path,
        observed=Observed(
            sentence=f"the {node.name} is {seen.sight.description}",
            is_alarming=_is_alarm(seen),
        ),
        source=seen.source,
    )


def _is_alarm(seen: InView) -> bool:
    return is_alarming(seen.sight.description)


def _choice(decided: Reaction | None) -> str:
    if decided is None:
        return "go on"
    return "talk" if decided.is_talk else "act"


def status_of(turn: Turn) -> str:
    """Return a sentence on what the person is doing, and until when."""
    doing = turn.view.doing_of(turn.identity.slug)
    action = turn.action
    if action is None or action.until_tick <= turn.tick:
        return doing
    return f"{doing} until {spoken_clock(turn.constants.calendar.time_at(action.until_tick))}"


def _known_places(turn: Turn) -> list[str]:
    """Return the paths that the person can go to: known places, and the areas of this one."""
    tree, name = turn.constants.world.tree, turn.identity.name
    here = tree.place_of(turn.area) if turn.area else ""
    places = [place.path for place in known_places(tree, turn.known, person=name)]
    areas = known_areas(tree, turn.known, place=here, person=name) if here else ()
    return list(dict.fromkeys([*places, *(area.path for area in areas)]))
