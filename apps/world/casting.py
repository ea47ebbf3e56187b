"""From the shape of people.yaml to the people of a world, checking what they name."""

from collections.abc import Iterable
from difflib import get_close_matches

from apps.kernel.names import NAME_CHARACTERS_MAX, NAME_RULE, name_fault, slug_of
from apps.world.known import with_all_below
from apps.world.node import Node, NodeKind, path_of
from apps.world.people import Person, PersonHours, seed_phrases
from apps.world.problems import Findings
from apps.world.shapes import HoursShape, PeopleShape, PersonShape
from apps.world.time_of_day import after
from apps.world.tree import WorldTree

RESERVED_SLUGS = frozenset({"commands", "simulation"})  # streams of the log


def cast(shape: PeopleShape, tree: WorldTree, findings: Findings) -> tuple[Person, ...]:
    """Return the people that the file describes; who names what is not there is left out."""
    _check_names(shape.people, findings)
    found = (_person(name, said, tree, findings) for name, said in shape.people.items())
    return tuple(person for person in found if person is not None)


def check_norms_name_people(tree: WorldTree, people: Iterable[str], findings: Findings) -> None:
    """Note every keeper and resident of world.yaml whom people.yaml does not have."""
    names = tuple(people)
    for node in tree.nodes:
        for role, named in (
            ("keepers", node.norms.keepers),
            ("residents", node.norms.residents),
        ):
            for name in named:
                if name not in names:
                    findings.add(
                        f"{node.path}: {role}",
                        f"{name!r} is nobody in people.yaml",
                        mend=_instead(name, names, "add the person or remove the name"),
                    )


def _check_names(names: Iterable[str], findings: Findings) -> None:
    taken: dict[str, str] = {}
    for name in names:
        slug = slug_of(name)
        fault = name_fault(name)
        if fault is not None:
            findings.add(repr(name[:NAME_CHARACTERS_MAX]), fault, mend=NAME_RULE)
        elif slug in RESERVED_SLUGS:
            findings.add(name, "is a reserved name", mend="give the person another name")
        other = taken.setdefault(slug, name)
        if other != name:
            findings.add(
                name,
                f"has the same address, {slug!r}, as {other!r}",
                mend="give one of the two another name",
            )


def _person(name: str, said: PersonShape, tree: WorldTree, findings: Findings) -> Person | None:
    before = len(findings.problems)
    if not seed_phrases(said.description):
        findings.add(
            f"{name}: description", "has no phrase in it", mend="say who the person is"
        )
    home = _named(f"{name}: home", said.home, tree, findings, kind=NodeKind.AREA)
    if home is not None and home.norms.holds is not None:
        findings.add(
            f"{name}: home",
            f"{home.path!r} holds {home.norms.holds}; a home is not waited for",
            mend="take holds away from the room, or name another as home",
        )
    bed = _bed(name, said, home, tree, findings)
    if said.workplace is not None:
        _named(f"{name}: workplace", said.workplace, tree, findings)
    for path in said.knows:
        _named(f"{name}: knows", path, tree, findings)
    if len(findings.problems) > before or home is None or bed is None:
        return None
    return Person(
        name=name,
        slug=slug_of(name),
        age=said.age,
        traits=said.traits,
        description="; ".join(seed_phrases(said.description)),
        home=home.path,
        bed=bed,
        workplace=said.workplace,
        hours=_hours(said.hours),
        knows=_knows(said, home, tree),
    )


def _hours(said: HoursShape) -> PersonHours:
    return PersonHours(wake=said.wake, sleep=after(said.wake, said.sleep), dinner=said.dinner)


def _knows(said: PersonShape, home: Node, tree: WorldTree) -> tuple[str, ...]:
    workplace = () if said.workplace is None else (said.workplace,)
    known = with_all_below(tree, (home.path, *workplace, *said.knows))
    return tuple(node.path for node in tree.nodes if node.path in known)


def _bed(
    name: str, said: PersonShape, home: Node | None, tree: WorldTree, findings: Findings
) -> str | None:
    if said.bed is not None:
        named = _named(f"{name}: bed", said.bed, tree, findings, kind=NodeKind.OBJECT)
        return None if named is None else named.path
    if home is None:
        return None
    path = path_of(home.path, "bed")
    if path in tree:
        return path
    findings.add(
        f"{name}: home",
        f"{home.path!r} has no object named 'bed'",
        mend="add one to world.yaml and the map, or name another with bed:",
    )
    return None


def _named(
    element: str, path: str, tree: WorldTree, findings: Findings, kind: NodeKind | None = None
) -> Node | None:
    """Return the node of the path, None with a problem noted if there is no such node."""
    wanted = "node" if kind is None else kind.value
    if path and path in tree and kind in (None, tree.node(path).kind):
        return tree.node(path)
    of_kind = [node.path for node in tree.nodes if node.path and kind in (None, node.kind)]
    findings.add(
        element,
        f"{path!r} is no {wanted} of world.yaml",
        mend=_instead(path, of_kind, f"write the whole path of an existing {wanted}"),
    )
    return None


def _instead(said: str, names: Iterable[str], otherwise: str) -> str:
    near = get_close_matches(said, tuple(names), n=1)
    return f"did you mean {near[0]!r}?" if near else otherwise
