"""The rows of lasting facts: each version with its validity, and rebuilt from the log."""

from dataclasses import replace

import pytest

from apps.agents.status import Standing, TieKind
from apps.memory.events import (
    EVENTS,
    FactRevised,
    FactSource,
)
from apps.memory.models import FactRow
from apps.memory.projections import LASTING_FACTS
from apps.memory.queries import current_facts, fact_versions, related_pairs
from tests.support.builders import relationship
from tests.support.projected import ProjectedLog

pytestmark = pytest.mark.django_db

TIE = relationship("Ada is a neighbor of Ben", 3, TieKind.NEIGHBOUR, Standing.NEUTRAL)
LIKING = FactRevised(
    number=1,
    statements=TIE.statements,
    evidence=(40, 38),
    source=FactSource.INSIGHT,
    tie=TieKind.NEIGHBOUR,
    standing=Standing.FRIENDLY,
    opinion="Ada can count on Ben",
)
VERSION = ("number", "standing", "opinion", "from_tick", "to_tick")


def test_a_revision_closes_the_version_before() -> None:
    log = ProjectedLog(EVENTS, [LASTING_FACTS])
    log.append(0, "ada", TIE)
    log.append(9, "ada", replace(LIKING, opinion="once"), LIKING)
    assert log.rows(FactRow, *VERSION) == [
        (1, "friendly", "Ada can count on Ben", 9, None),
        (1, "neutral", "", 0, 9),
    ]
    assert log.problems() == ()


def test_a_fact_that_has_ended_holds_up_to_its_end() -> None:
    log = ProjectedLog(EVENTS, [LASTING_FACTS])
    log.append(0, "ada", TIE, replace(TIE, number=2, other="cora"))
    log.append(9, "ada", replace(LIKING, ended=True))
    here = log.simulation_id
    assert [one.other for one in current_facts(here, "ada", as_of_tick=8)] == ["ben", "cora"]
    assert [one.other for one in current_facts(here, "ada", as_of_tick=9)] == ["cora"]
    assert set(related_pairs(here, ["ada", "ben"], as_of_tick=8)) == {("ada", "ben")}
    assert fact_versions(here, "ada", as_of_tick=9).count() == 2
    assert log.problems() == ()
