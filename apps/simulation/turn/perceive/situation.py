"""The surroundings of an agent as far as it sees and knows them, as an input of planning."""

from collections.abc import Iterator
from datetime import datetime

from apps.planning.inputs import KnownAgent, ObjectState, Surroundings
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.perceive.relationships import status_of
from apps.world.world import Person

KNOWN_AGENTS_MAX = 12


def surroundings_of(context: TurnContext) -> Surroundings:
    """Return where the agent is, the objects that are not idle, and the agents it knows."""
    area = context.area
    return Surroundings(
        current_area=area,
        current_place=context.constants.world.tree.place_of(area) if area else "",
        states=tuple(object_states(context)),
        agents=known_agents(context)[:KNOWN_AGENTS_MAX],
        phones=context.constants.world.phones,
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
    by_description = [person.slug for person in _described(context)]
    slugs = dict.fromkeys([*here, *guests, *by_description, *latest])
    known = (_known_agent(context, slug, is_here=slug in here) for slug in slugs)
    return tuple(one for one in known if one.name)


def name_known(context: TurnContext, slug: str) -> str:
    """Return the full name of an agent, also of one that is not in the simulation."""
    agents = context.constants.world.agents
    return context.name_of(slug) or next((p.name for p in agents if p.slug == slug), "")


def _known_agent(context: TurnContext, slug: str, *, is_here: bool) -> KnownAgent:
    seen = context.acquainted.agents.get(slug)
    return KnownAgent(
        slug=slug,
        name=name_known(context, slug),
        seen_at=None if seen is None else context.constants.calendar.time_at(seen.tick),
        seen_in="" if seen is None else seen.area,
        is_here=is_here,
        is_asleep=is_here and context.view.is_asleep(slug),
        activity=status_of(context, slug).activity if is_here else "",
        let_in_at=None if is_here else _let_in_at(context, slug),
    )


def _let_in_at(context: TurnContext, visitor: str) -> datetime | None:
    """Return when the agent has let in the visitor, None if it did not or has seen it since."""
    seen = context.acquainted.agents.get(visitor)
    opened = [one.tick for one in context.records.let_in if one.visitor == visitor]
    if not opened or (seen is not None and seen.tick >= opened[-1]):
        return None
    return context.constants.calendar.time_at(opened[-1])


def _described(context: TurnContext) -> Iterator[Person]:
    """Yield the residents of the agent's home, and the people whom its description names."""
    tree = context.constants.world.tree
    home = tree.place_of(context.identity.home) if context.identity.home else ""
    for person in context.constants.world.agents:
        if person.slug == context.identity.slug:
            continue
        lives_here = bool(home) and tree.place_of(person.home) == home
        if lives_here or any(person.name in phrase for phrase in context.description):
            yield person


def object_states(context: TurnContext) -> Iterator[ObjectState]:
    """Yield the objects whose state, as last seen, is not the idle one."""
    tree = context.constants.world.tree
    states = {path: seen.description for path, seen in context.acquainted.objects.items()}
    states |= {
        one.sight.subject: one.sight.description for one in context.news if one.sight.is_object
    }
    for path, state in sorted(states.items()):
        if state and path in tree and state != tree.node(path).idle_state:
            yield ObjectState(path=path, state=state)
