"""Finds offered places in words, and tells when an agent may be in them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from apps.planning.inputs import HourlyPlanInput, RevisedHoursInput
from apps.planning.surroundings import PlaceOption
from apps.rule_model.content import Content
from apps.rule_model.language.subjects import long_stems_of
from apps.rule_model.language.words import patterns

_PATTERNS = patterns("places")


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """The places that an agent knows, its home and its workplace, as paths in words."""

    agent_name: str
    places: Sequence[PlaceOption]
    home: str
    workplace: str
    content: Content

    def offered(self, path: str) -> PlaceOption | None:
        """Return the offered place of the path, None where it is not offered."""
        return next((place for place in self.places if place.path == path), None)

    def is_keeper(self, place: PlaceOption) -> bool:
        """Whether the agent keeps the place."""
        return self.agent_name in place.keepers

    def lets_in(self, path: str, start: int, end: int) -> bool:
        """Whether the place is offered and open to the agent from minute to minute."""
        at = self.offered(path)
        return at is not None and at.lets_in(self.agent_name, from_minute=start, to_minute=end)

    @property
    def kept(self) -> PlaceOption | None:
        """The place with opening hours that the agent works at and keeps."""
        at_work = {self.workplace.partition(": ")[0], self.workplace}
        kept = (one for one in self.places if one.path in at_work and self.is_keeper(one))
        return next((one for one in kept if one.opens is not None), None)

    def named(self, text: str) -> str:
        """Return the path of the place that the text names, "" for none.

        A full name counts more than an area's name, that more than "the inn" or a word in
        common ("the goats", goat pen); of two full names the longer; an own room is the home.
        """
        lower = text.lower()
        numbered = enumerate(self.places)
        scores = [(self._score(lower, place), len(place.root), -at) for at, place in numbered]
        best, _, at = max(scores, default=(0, 0, 0))
        if best < 3 and _PATTERNS["home"].search(text):
            return self.home
        if best:
            return self.places[-at].path
        return self._in_common(text)

    def meant(self, phrase: str, activity: str) -> str:
        """Return the place of an activity: named, usual for its kind, workplace or home."""
        if named := self.named(phrase):
            return named
        home = self.offered(self.home)
        if home is not None and any(f"the {area}" in phrase for area in home.areas):
            return self.home
        if _PATTERNS["furniture"].search(phrase):
            return self.workplace_offered or self.home
        vocabulary = self.content.at(self.home)
        kind = vocabulary.activity_for(activity)
        rows = [
            row for row in vocabulary.outings if vocabulary.activity_for(row.values[0]) is kind
        ]
        public = [place for place in self.places if not place.residents]
        usual = (at.path for row in rows for at in public if row.place.search(at.name))
        return next(usual, "") or self.workplace_offered or self.home

    @property
    def workplace_offered(self) -> str:
        """The workplace, or the place around it if its room is not offered, "" without one."""
        around = self.workplace.partition(": ")[0]
        return self.workplace if self.offered(self.workplace) else around

    def narrowed(self, path: str, activity: str) -> str:
        """Return the area of the place that suits the activity, else the place."""
        areas = [place.path for place in self.places if place.path.startswith(f"{path}: ")]
        wanted = self.content.at(path).areas_for(activity)
        return next((area for word in wanted for area in areas if word in area), path)

    def in_words(self, path: str) -> str:
        """Return the place as it stands in a sentence: "the choir of The Church"."""
        place, _, area = path.partition(": ")
        return f"the {area} of {place}" if area else place

    def _score(self, text: str, place: PlaceOption) -> int:
        root, name = place.root.lower(), place.name.lower()
        if place.path != place.root:
            whole = re.search(rf"\b(?:the|its|in) {re.escape(name)}\b", text)
            return (5 if root in text else 2) if whole else 0
        if root in text:
            return 4
        kind = re.escape(root.rpartition(" ")[2])
        is_home = _PATTERNS["home"].search(f"his {kind}")
        return int(not is_home and re.search(rf"\bthe {kind}\b", text) is not None)

    def _in_common(self, text: str) -> str:
        """Return the area or place whose name shares a word with the text, "" for none."""
        stems = long_stems_of(text)
        for place in sorted(self.places, key=lambda place: place.path == place.root):
            # "The Priory Church" is a church: of a place only the noun itself is a hint.
            head = place.name.rpartition(" ")[2] if place.path == place.root else place.name
            name = head if not place.residents else ""
            if stems & long_stems_of(name):
                return place.path
        return ""


def surroundings_of(
    inputs: HourlyPlanInput | RevisedHoursInput, content: Content
) -> Surroundings:
    """Return the places of a task that knows no home: it is where the agent is a resident."""
    homes = (place.path for place in inputs.places if inputs.agent_name in place.residents)
    return Surroundings(
        agent_name=inputs.agent_name,
        places=inputs.places,
        home=next(homes, inputs.slots[-1].place if inputs.slots else ""),
        workplace="",
        content=content,
    )
