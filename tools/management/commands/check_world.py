"""`manage.py check_world DIR`: report all problems of a world, or its contents (W8).

For a world without problems, it also warns of phrases and objects that the rule-based model
leaves out.
"""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from apps import wiring
from apps.django_support.service_command import ServiceCommand
from apps.kernel.language import ENGLISH
from apps.rule_model.content import load_content
from apps.world.loading import load_world
from apps.world.problems import UnknownWorld, WorldBroken
from apps.world.world import World
from tools.world_liveability import unlived


class Command(ServiceCommand):
    help = "Report all problems of a world's files, or their contents."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("directory", type=Path, help="a folder, or a name")

    def handle(self, *_args: Any, **options: Any) -> None:
        worlds = wiring.worlds()
        # A path such as "." has a name only after it is resolved.
        directory: Path = options["directory"].expanduser().resolve()
        try:
            if not directory.is_dir():
                directory = worlds.find(str(options["directory"]))
            elif directory.parent == worlds.own.resolve() and directory.name in worlds.names:
                worlds.find(directory.name)  # refuses the name of a shipped world
            world = load_world(directory)
        except UnknownWorld as unknown:
            raise CommandError(
                f"{options['directory']} is no folder; give a world's folder, or its name: "
                f"{unknown.message}"
            ) from unknown
        except WorldBroken as broken:
            for problem in broken.problems:
                self.stderr.write(str(problem))
            raise CommandError(_counted(len(broken.problems), "problem")) from broken
        self.stdout.write(_summary(world))
        self._warn(world)

    def _warn(self, world: World) -> None:
        """Print warnings about the days of the rule-based model; the world can be used."""
        if world.language != ENGLISH:
            self.stdout.write("not rehearsed: the rule-based model reads English only")
            return
        content = load_content((world.directory,))
        for problem in unlived(world.tree, world.agents, world.start.date(), content):
            self.stdout.write(f"warning: {problem}")


def _summary(world: World) -> str:
    """Return the contents of the world, on two lines."""
    tree = world.tree
    contents = ", ".join(
        _counted(len(found), what, plural)
        for found, what, plural in (
            (tree.places, "place", "places"),
            (tree.areas, "area", "areas"),
            (tree.objects, "object", "objects"),
            (world.agents, "person", "people"),
        )
    )
    return (
        f"{world.name}: {contents}, on {world.map.width} x {world.map.height} tiles\n"
        f"what people share lies up to {world.widest_shared} tiles apart"
    )


def _counted(number: int, what: str, plural: str = "") -> str:
    return f"{number} {what if number == 1 else plural or what + 's'}"
