"""How actions look: an emoji, and the state of the object they are done with."""

import pytest

from apps.planning.chains.staging import ActionOnObject, ActionsToStage, Staging
from apps.rule_model.model import Chance
from apps.rule_model.planning.looks import stagings

CHANCE = Chance(seed=7, chain="planning.staging", call_id="1/ada-finch/x/0")


def staged(description: str, thing: str) -> Staging:
    action = ActionOnObject(description=description, object=thing)
    given = ActionsToStage(agent_name="Ada Finch", actions=(action,))
    return stagings(given, CHANCE).stagings[0]


@pytest.mark.parametrize("thing", ["coffee machine", "refrigerator", "piano"])
def test_what_is_mended_is_not_in_use(thing: str) -> None:
    mended = staged(f"mending the broken {thing}", thing)
    assert (mended.emoji, mended.object_state) == ("🔧", "being mended")


@pytest.mark.parametrize(
    ("description", "thing"),
    [
        ("mending the gap on the blackboard", "blackboard"),
        ("mending the references of the research paper", "tables"),
    ],
)
def test_what_is_mended_in_writing_is_written(description: str, thing: str) -> None:
    written = staged(description, thing)
    assert written.emoji != "🔧"
    assert written.object_state != "being mended"
