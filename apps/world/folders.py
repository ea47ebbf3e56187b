"""Finds the folders of worlds by name: those of users, and those that are shipped."""

from dataclasses import dataclass
from pathlib import Path

from apps.kernel.names import names_there_are
from apps.world.problems import Problem, UnknownWorld, WorldBroken

WORLD_FILE = "world.yaml"


@dataclass(frozen=True, slots=True)
class WorldFolders:
    """The folder of the users' worlds, and that of the shipped ones.

    The name of a world is that of its folder. A name means one world: a folder of a user with
    the name of a shipped world is refused until it is renamed.
    """

    own: Path
    shipped: Path | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all worlds, sorted."""
        roots = (self.own, self.shipped) if self.shipped else (self.own,)
        found = (path.parent.name for root in roots for path in root.glob(f"*/{WORLD_FILE}"))
        return tuple(sorted(set(found)))

    @property
    def directories(self) -> tuple[Path, ...]:
        """The folders of all worlds, the shipped ones first, and alone of two with a name."""
        found = [self._directory(name) for name in self.names]
        return tuple(sorted(found, key=lambda folder: folder.parent == self.own.resolve()))

    def find(self, name: str) -> Path:
        """Return the folder of the world of that name, as an absolute path.

        :raises UnknownWorld: if there is none; the message has the similar or all names.
        :raises WorldBroken: if a user's world has the name of a shipped one.
        """
        if name not in self.names:
            raise UnknownWorld(
                f"there is no world {name!r}; {names_there_are(self.names, name)}"
            )
        directory = self._directory(name)
        own = self.own.resolve() / name
        if own != directory and own.exists() and own.resolve() != directory.resolve():
            problem = Problem(
                file=name,
                element="the name of the folder",
                what="is that of a shipped world",
                hint="rename the folder",
            )
            raise WorldBroken(name, [problem])
        return directory

    def name_of(self, name_or_folder: str) -> str:
        """Return the name of the world that is named, or whose folder is named by its path.

        :raises UnknownWorld: if the folder is not among those of the worlds.
        """
        folder = Path(name_or_folder).expanduser()
        if name_or_folder in self.names or not (folder / WORLD_FILE).is_file():
            return name_or_folder
        if folder.resolve() not in [directory.resolve() for directory in self.directories]:
            raise UnknownWorld(
                f"the world {name_or_folder} cannot be found by the other processes of the "
                f"service; move its folder to {self.own}"
            )
        return folder.resolve().name

    def _directory(self, name: str) -> Path:
        if self.shipped is not None and (self.shipped / name / WORLD_FILE).is_file():
            return self.shipped.resolve() / name
        return self.own.resolve() / name
