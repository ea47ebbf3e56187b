"""Chain: from one planned hour to actions of a few minutes, just in time (P1)."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from apps.llm.chain import Chain
from apps.llm.quoting import quoted, quoted_list
from apps.llm.wording import Wording
from apps.planning.offers import spoken_minute
from apps.planning.words import doing


@dataclass(frozen=True, slots=True, kw_only=True)
class HourToDetail:
    """What is known when an hour is divided.

    `before` is what was just done, "" if nothing; `done` is what was done of the hour before
    something came between; minutes count from the midnight on which `date` began; `least`
    and `most` are minutes an action.
    """

    agent_name: str
    summary: str
    memories: tuple[str, ...]
    date: str
    before: str
    done: tuple[str, ...]
    activity: str
    place: str
    from_minute: int
    to_minute: int
    least: int
    most: int

    @property
    def minutes(self) -> int:
        """How many minutes there are to fill."""
        return self.to_minute - self.from_minute


class DetailedAction(BaseModel):
    """A few minutes of the hour."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    description: str = Field(
        description='what follows "is" after the person\'s name, without the name, such as '
        '"grinding coffee beans"'
    )
    minutes: int = Field(description="how long it lasts")


class ActionDetail(BaseModel):
    """The hour's actions, in order."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    actions: list[DetailedAction] = Field(min_length=1)


def hour_as_planned(given: HourToDetail) -> ActionDetail:
    """Return the hour as one action, which tiling divides evenly: the named fallback."""
    return ActionDetail(
        actions=[DetailedAction(description=doing(given.activity), minutes=given.minutes)]
    )


def _fills(given: HourToDetail) -> Mapping[str, str]:
    before = given.before or "nothing of note"
    name = given.agent_name
    return {
        "agent_name": name,
        "summary": quoted(given.summary, source=f"who {name} is"),
        "memories": quoted_list(given.memories, source=f"memories of {name}"),
        "date": given.date,
        "before": quoted(before, source=f"what {name} has just done"),
        "done": quoted_list(given.done, source=f"what {name} has done of it"),
        "activity": quoted(given.activity, source=f"plan of {name}"),
        "place": given.place,
        "from_time": spoken_minute(given.from_minute),
        "to_time": spoken_minute(given.to_minute),
        "minutes": str(given.minutes),
        "least": str(given.least),
        "most": str(given.most),
    }


ACTION_DETAIL = Chain(
    name="planning.action_detail",
    wording=Wording.load(
        Path(__file__).parent.parent / "prompts" / "action_detail.md",
        fills={
            "agent_name",
            "summary",
            "memories",
            "date",
            "before",
            "done",
            "activity",
            "place",
            "from_time",
            "to_time",
            "minutes",
            "least",
            "most",
        },
    ),
    given=HourToDetail,
    answer=ActionDetail,
    fills=_fills,
    fallback=hour_as_planned,
)
