"""Builds the people of a world from people.yaml and checks what they name and need (W5)."""

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import ClassVar, Protocol

from apps.eventlog.event import STREAMS_OF_USERS
from apps.kernel.errors import DomainError
from apps.kernel.names import NAME_CHARACTERS_MAX, NAME_RULE, either, name_fault, slug_of
from apps.kernel.text import join_and
from apps.kernel.words import seed_phrases
from apps.world.norms import with_all_below
from apps.world.problems import Findings
from apps.world.shapes import PeopleShape, PersonShape, after, people_shape, visitor_shape
from apps.world.tile_map import TileMap
from apps.world.tree import Node, NodeKind, WorldTree, path_of
from apps.world.world import Person, PersonHours, World

BEDS_NAMED_MAX = 5


class Resident(Protocol):
    """An agent with its paths; a visitor has "" for home and bed."""

    @property
    def name(self) -> str:
        """The full name."""

    @property
    def home(self) -> str:
        """The area in which it sleeps."""

    @property
    def bed(self) -> str:
        """The object in which it sleeps."""

    @property
    def workplace(self) -> str | None:
        """The place, area or object where it works."""


def check_capacity(
    resident: Resident,
    others: Sequence[Resident],
    tree: WorldTree,
    tile_map: TileMap,
    *,
    beds: Iterable[str],
    findings: Findings,
) -> None:
    """Report what has no room for one more agent, given the others that live in the world.

    :param beds: the paths of objects that are known to be beds.
    """
    sleepers = [other.name for other in others if other.bed == resident.bed]
    if _is_full(tree.node(resident.bed), len(sleepers)):
        findings.add(
            f"{resident.name}: bed",
            f"{_held(tree.node(resident.bed))}, and it is the bed of {join_and(sleepers)}",
            hint=_other_bed(resident, others, tree, beds),
        )
    tiles = len(tile_map.area_tiles(resident.home))
    if sum(other.home == resident.home for other in others) >= tiles:
        findings.add(
            f"{resident.name}: home",
            f"{resident.home!r} has {tiles} tiles, and is the home of as many agents",
            hint="name another home",
        )
    for node in tree.line_of(resident.workplace or ""):
        workers = [other.name for other in others if _is_at(node, other.workplace, tree)]
        if _is_full(node, len(workers)):
            findings.add(
                f"{resident.name}: workplace",
                f"{_held(node)}, and it is the workplace of {join_and(workers)}",
                hint="name another, or the area or place around it, or let it hold more",
            )


def check_people(agents: Sequence[Resident], tree: WorldTree, tile_map: TileMap) -> Findings:
    """Return the problems of a world's own people, who live in it together."""
    findings = Findings("people.yaml")
    beds = [person.bed for person in agents]
    for number, person in enumerate(agents):
        before = agents[:number]
        check_capacity(person, before, tree, tile_map, beds=beds, findings=findings)
    return findings


def _is_full(node: Node, held: int) -> bool:
    return node.norms.holds is not None and held >= node.norms.holds


def _held(node: Node) -> str:
    return f"{node.path!r} holds {node.norms.holds}"


def _is_at(node: Node, path: str | None, tree: WorldTree) -> bool:
    return path is not None and path in tree and node in tree.line_of(path)


def _other_bed(
    resident: Resident, others: Sequence[Resident], tree: WorldTree, beds: Iterable[str]
) -> str:
    """Return what to do: name the free beds, those of the same place first."""
    kinds = {tree.node(bed).name.split()[-1].casefold() for bed in beds if bed in tree}
    taken = [other.bed for other in others]
    free = [
        node.path
        for node in tree.objects
        if node.name.split()[-1].casefold() in kinds
        and not _is_full(node, taken.count(node.path))
    ]
    if not free:
        return "no bed of the world is free; let the bed hold more in world.yaml, or add a bed"
    place = tree.place_of(resident.bed)
    free.sort(key=lambda path: tree.place_of(path) != place)
    more = len(free) - BEDS_NAMED_MAX
    also = f" ({more} more are free)" if more > 0 else ""
    return (
        f"name a free bed and its room as bed and home: {either(free[:BEDS_NAMED_MAX])}{also}"
    )


def load_people(shape: PeopleShape, tree: WorldTree, findings: Findings) -> tuple[Person, ...]:
    """Return the people of the file, without those that name a node that does not exist."""
    _check_names(shape.people, findings)
    people = (_person(name, entry, tree, findings) for name, entry in shape.people.items())
    return tuple(person for person in people if person is not None)


def check_norms_name_people(tree: WorldTree, people: Iterable[str], findings: Findings) -> None:
    """Report every keeper and resident in world.yaml that people.yaml does not have."""
    names = tuple(people)
    for node in tree.nodes:
        roles = {"keepers": node.norms.keepers, "residents": node.norms.residents}
        for role, named in roles.items():
            for name in named:
                if name not in names:
                    findings.add(
                        f"{node.path}: {role}",
                        f"{name!r} is not in people.yaml",
                        hint=_instead(name, names, "add the person or remove the name"),
                    )


def agent_name_fault(name: str) -> str | None:
    """Return the fault of an agent's name, None if it is valid and not reserved."""
    is_reserved = slug_of(name) in STREAMS_OF_USERS
    return name_fault(name) or ("is a reserved name" if is_reserved else None)


def _check_names(names: Iterable[str], findings: Findings) -> None:
    taken: dict[str, str] = {}
    for name in names:
        slug, fault = slug_of(name), agent_name_fault(name)
        if fault is not None:
            hint = f"give the person another name; {NAME_RULE}"
            findings.add(repr(name[:NAME_CHARACTERS_MAX]), fault, hint=hint)
        other = taken.setdefault(slug, name)
        if other != name:
            findings.add(
                name,
                f"has the same address, {slug!r}, as {other!r}",
                hint="give one of the two another name",
            )


def _person(
    name: str, entry: PersonShape, tree: WorldTree, findings: Findings
) -> Person | None:
    before = len(findings.problems)
    phrases = seed_phrases(entry.description)
    if not phrases:
        findings.add(f"{name}: description", "has no phrase", hint="describe the person")
    home = _named(f"{name}: home", entry.home, tree, findings, kind=NodeKind.AREA)
    if home is not None and home.norms.holds is not None:
        findings.add(
            f"{name}: home",
            f"{home.path!r} holds {home.norms.holds}, and a home has no capacity",
            hint="remove holds from the room, or name another home",
        )
    bed = _bed(name, entry, home, tree, findings)
    named = () if entry.workplace is None else (entry.workplace,)
    for path in named:
        _named(f"{name}: workplace", path, tree, findings)
    for path in entry.knows:
        _named(f"{name}: knows", path, tree, findings)
    if len(findings.problems) > before or home is None or bed is None:
        return None
    known = with_all_below(tree, (home.path, *named, *entry.knows))
    hours = entry.hours
    return Person(
        name=name,
        slug=slug_of(name),
        age=entry.age,
        traits=entry.traits,
        description="; ".join(phrases),
        home=home.path,
        bed=bed,
        workplace=entry.workplace,
        hours=PersonHours(
            wake=hours.wake, sleep=after(hours.wake, hours.sleep), dinner=hours.dinner
        ),
        knows=tuple(node.path for node in tree.nodes if node.path in known),
    )


def _bed(
    name: str, entry: PersonShape, home: Node | None, tree: WorldTree, findings: Findings
) -> str | None:
    if entry.bed is not None:
        named = _named(f"{name}: bed", entry.bed, tree, findings, kind=NodeKind.OBJECT)
        return None if named is None else named.path
    if home is None:
        return None
    path = path_of(home.path, "bed")
    if path in tree:
        return path
    findings.add(
        f"{name}: home",
        f"{home.path!r} has no object named 'bed'",
        hint="add one to world.yaml and the map, or name another with bed:",
    )
    return None


def _named(
    element: str, path: str, tree: WorldTree, findings: Findings, kind: NodeKind | None = None
) -> Node | None:
    """Return the node of the path; report a problem and return None if there is none."""
    wanted = "node" if kind is None else kind.value
    if path and path in tree and kind in (None, tree.node(path).kind):
        return tree.node(path)
    of_kind = [node.path for node in tree.nodes if node.path and kind in (None, node.kind)]
    findings.add(
        element,
        f"{path!r} is no {wanted} of world.yaml",
        hint=_instead(path, of_kind, f"write the whole path of an existing {wanted}"),
    )
    return None


def _instead(name: str, names: Iterable[str], otherwise: str) -> str:
    near = get_close_matches(name, tuple(names), n=1)
    return f"did you mean {near[0]!r}?" if near else otherwise


class InvalidAgentProfile(DomainError):
    """The description of the agent does not fit this world."""

    code: ClassVar[str] = "newcomer-unfit"


def ensure_visitor_fits(
    name: str, *, age: int, traits: tuple[str, ...], description: str
) -> str:
    """Return the slug of a visitor.

    :raises InvalidAgentProfile: if no agent can have the name or another fact.
    """
    fault = agent_name_fault(name)
    if fault is not None:
        raise InvalidAgentProfile(f"{name[:NAME_CHARACTERS_MAX]!r} {fault}; {NAME_RULE}")
    findings = Findings("the visitor")
    visitor_shape({"age": age, "traits": traits, "description": description}, findings)
    _ensure_none(findings)
    return slug_of(name)


def agent_profile_of(name: str, facts: Mapping[str, object], tree: WorldTree) -> Person:
    """Return the person; `facts` are those of an entry in people.yaml.

    :raises InvalidAgentProfile: with all problems, each with a hint.
    """
    findings = Findings("the person")
    shape = people_shape({name: dict(facts)}, findings)
    agents = () if shape is None else load_people(shape, tree, findings)
    _ensure_none(findings)
    return agents[0]


def ensure_room_for(person: Person, others: Sequence[Resident], world: World) -> None:
    """Check that bed, room and workplace have room for one more agent.

    :raises InvalidAgentProfile: with what is full, and the free beds.
    """
    findings = Findings("the person")
    beds = [person.bed, *(resident.bed for resident in (*world.agents, *others))]
    check_capacity(person, others, world.tree, world.map, beds=beds, findings=findings)
    _ensure_none(findings)


def _ensure_none(findings: Findings) -> None:
    if findings.problems:
        raise InvalidAgentProfile(
            "; ".join(f"{one.element}: {one.what}; {one.hint}" for one in findings.problems)
        )
