"""The surroundings of an agent as far as it knows them, and where another one may be."""

from collections.abc import Iterator
from datetime import datetime

from apps.agents.acts import ActKind
from apps.agents.events import Tile
from apps.kernel.chance import choice
from apps.planning.inputs import KnownAgent, ObjectState, Surroundings
from apps.simulation.turn.context.outcome import PlannedStep
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.perceive.relationships import status_of
from apps.world.norms import is_common_or_own, is_home, lives_in, may_use_area
from apps.world.tile_map import chebyshev, extent
from apps.world.world import Person

KNOWN_AGENTS_MAX = 12


def surroundings_of(context: TurnContext) -> Surroundings:
    """Return where the agent is, the objects that are not idle, and the agents it knows."""
    area = context.area
    return Surroundings(
        current_area=area,
        current_place=context.tree.place_of(area) if area else "",
        states=tuple(object_states(context)),
        agents=known_agents(context)[:KNOWN_AGENTS_MAX],
        phones=context.world.phones,
    )


def known_agents(context: TurnContext) -> tuple[KnownAgent, ...]:
    """Return the agents that the agent knows: those in view, those it knows well, the others.

    It knows the agents that it has seen, the residents of its home, and those whom its own
    description names in full.
    """
    here = [slug for _distance, slug in context.view.agents_in_view()]
    guests = [one.visitor for one in context.records.let_in]
    seen = context.acquainted.agents
    latest = sorted(seen, key=lambda slug: (-seen[slug].tick, slug))
    household = _household(context)
    known_well = [
        person.slug
        for person in context.world.agents
        if person.slug in household or _is_described(context, person)
    ]
    slugs = dict.fromkeys([*here, *guests, *known_well, *latest])
    known = (
        _known_agent(context, slug, is_here=slug in here, shares_home=slug in household)
        for slug in slugs
    )
    return tuple(one for one in known if one.name)


def _known_agent(
    context: TurnContext, slug: str, *, is_here: bool, shares_home: bool
) -> KnownAgent:
    seen = context.acquainted.agents.get(slug)
    return KnownAgent(
        slug=slug,
        name=context.name_known(slug),
        seen_at=None if seen is None else context.calendar.time_at(seen.tick),
        seen_in="" if seen is None else seen.area,
        is_here=is_here,
        is_asleep=is_here and context.view.is_asleep(slug),
        activity=status_of(context, slug).activity if is_here else "",
        let_in_at=None if is_here else _let_in_at(context, slug),
        shares_home=shares_home,
    )


def _let_in_at(context: TurnContext, visitor: str) -> datetime | None:
    """Return when the agent has let in the visitor, None if it did not or has seen it since."""
    seen = context.acquainted.agents.get(visitor)
    opened = [one.tick for one in context.records.let_in if one.visitor == visitor]
    if not opened or (seen is not None and seen.tick >= opened[-1]):
        return None
    return context.calendar.time_at(opened[-1])


def _household(context: TurnContext) -> set[str]:
    """Return the slugs of the other residents of the agent's home."""
    tree = context.tree
    home = tree.place_of(context.identity.home) if context.identity.home else ""
    return {
        person.slug
        for person in context.world.agents
        if home and person.slug != context.identity.slug and tree.place_of(person.home) == home
    }


def _is_described(context: TurnContext, person: Person) -> bool:
    """Return whether the agent's description names the other person in full."""
    is_other = person.slug != context.identity.slug
    return is_other and any(person.name in text for text in context.description)


def object_states(context: TurnContext) -> Iterator[ObjectState]:
    """Yield the objects whose state, as last seen, is not the idle one."""
    tree = context.tree
    states = {path: seen.description for path, seen in context.acquainted.objects.items()}
    states |= {
        one.sight.subject: one.sight.description for one in context.news if one.sight.is_object
    }
    for path, state in sorted(states.items()):
        if state and path in tree and state != tree.node(path).idle_state:
            yield ObjectState(path=path, state=state)


# An agent that was seen so lately is looked for there first.
SEEN_LATELY_MINUTES = 60


def likely_areas(context: TurnContext, step: PlannedStep) -> Iterator[str]:
    """Yield the areas that are open and where the other agent may be, the likeliest first."""
    return (
        area
        for area in _areas_of(context, step)
        if area
        and not context.constants.is_closed_to(context.identity.name, area, context.tick)
    )


def _areas_of(context: TurnContext, step: PlannedStep) -> Iterator[str]:
    """Yield where the agent was seen lately, the planned area, and the other rooms around it.

    An agent that is looked for may also be at its home, at its workplace, and where it was seen
    longer ago.
    """
    tree, other = context.tree, step.act.other
    seen = context.acquainted.agents.get(other)
    lately = context.tick - context.ticks_of(minutes=SEEN_LATELY_MINUTES)
    if seen is not None and seen.tick >= lately:
        yield seen.area
    yield step.area
    yield from _rooms_around(context, step)
    if step.act.kind is not ActKind.LOOK_FOR:
        return
    for person in context.world.agents:
        if person.slug == other:
            places = (person.home, person.workplace or "")
            yield from (tree.area_of(path) for path in places if path in context.known)
    if seen is not None:
        yield seen.area


def _rooms_around(context: TurnContext, step: PlannedStep) -> Iterator[str]:
    """Yield the rooms of the home that the agent is in, for a search or for a visit.

    A visitor looks for its host in the common rooms.
    """
    tree, agent = context.tree, context.identity
    place = tree.place_of(context.area) if context.area else ""
    if not place or not is_home(tree, place):
        return
    lives_here = lives_in(tree, place, name=agent.name, home=agent.home)
    if lives_here and step.act.kind is not ActKind.LOOK_FOR:
        return
    may_look_into = may_use_area if lives_here else is_common_or_own
    for room in tree.children(place):
        if may_look_into(tree, room.path, name=agent.name, home=agent.home):
            yield room.path


def meeting_tile(context: TurnContext, area: str) -> Tile | None:
    """Return the tile at which all agents wait for and look for others in a large area.

    None for an area that an agent sees as a whole.
    """
    world, vision = context.world, context.attention.vision
    spots = world.map.standing_tiles(area) if area else ()
    if not spots or extent(world.map.area_tiles(area)) <= vision:
        return None
    return choice(spots, context.seed, "meeting", area)


def search_tiles(context: TurnContext, area: str) -> tuple[Tile, ...]:
    """Return the tiles from which a large area is searched, in order.

    The search begins at the meeting tile and crosses the area from end to end. It has no tiles
    in an area that an agent sees as a whole.
    """
    meeting = meeting_tile(context, area)
    if meeting is None:
        return ()
    spots = context.map.standing_tiles(area)
    end = max(spots, key=lambda spot: (chebyshev(meeting, spot), spot))
    other_end = max(spots, key=lambda spot: (chebyshev(end, spot), spot))
    return tuple(dict.fromkeys((meeting, end, other_end)))


def destination_of(context: TurnContext, other: str) -> str:
    """Return the area that an agent in view walks to, "" if it does not walk."""
    theirs = context.view.action_of(other)
    if theirs is None or not theirs.towards:
        return ""
    return context.tree.area_of(theirs.towards)
