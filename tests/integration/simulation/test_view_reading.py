"""What the views of an agent read of conversations, in company and alone."""

from dataclasses import replace

import pytest

from apps.agents.events import EVENTS as AGENT_EVENTS
from apps.agents.events import ActionBegan, AgentLeft
from apps.agents.projections import PEOPLE
from apps.dialogue.events import EVENTS as DIALOGUE_EVENTS
from apps.dialogue.events import Said
from apps.dialogue.models import CONVERSATIONS
from apps.simulation.snapshot.view_reading import read_views
from tests.support.builders import joined
from tests.support.projected import ProjectedLog
from tests.support.turns import BEDROOM, KITCHEN, Scene, tile_in

pytestmark = pytest.mark.django_db

TICK = 4


STANDING = ActionBegan(
    description="standing",
    emoji="👀",
    tile=tile_in(KITCHEN),
    area=KITCHEN,
    object="",
    object_state="",
    asleep=False,
    until_tick=99,
    plan_item=0,
)
HELLO = Said(
    conversation="2/ada-finch",
    to="ben-marsh",
    number=1,
    text="Hello!",
    ends=False,
    memories=(),
)


@pytest.mark.parametrize("company", [True, False], ids=["in company", "alone"])
def test_an_agent_knows_its_own_words(company: bool) -> None:
    """Also after the other one has gone, when nobody is near."""
    log = ProjectedLog([*AGENT_EVENTS, *DIALOGUE_EVENTS], [PEOPLE, CONVERSATIONS])
    for name in ("Ada Finch", "Ben Marsh"):
        log.append(0, name.lower().replace(" ", "-"), joined(name, BEDROOM, tile_in(KITCHEN)))
    log.append(1, "ada-finch", STANDING)
    log.append(1, "ben-marsh", STANDING)
    log.append(2, "ada-finch", HELLO)
    if not company:
        log.append(3, "ben-marsh", AgentLeft())
    constants = replace(Scene().context().constants, simulation_id=log.simulation_id)
    views = read_views(constants, "ada-finch", tick=TICK)
    assert bool(views.local.agents_near()) is company
    assert [said.text for said in views.utterances.heard_in("2/ada-finch")] == ["Hello!"]
