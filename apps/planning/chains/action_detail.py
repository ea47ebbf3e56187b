"""Chain: from one planned hour to actions of a few minutes, just in time (P1)."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from apps.llm.chain import Chain
from apps.llm.prompt_values import PromptValue, agent_name, data, data_list, game_time, number
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


def _fills(given: HourToDetail) -> Mapping[str, PromptValue]:
    return {
        "agent_name": agent_name(given.agent_name),
        "summary": data(given.summary),
        "memories": data_list(given.memories),
        "date": game_time(given.date),
        "before": data(given.before or "nothing of note"),
        "done": data_list(given.done),
        "activity": data(given.activity),
        "place": data(given.place),
        "from_time": game_time(spoken_minute(given.from_minute)),
        "to_time": game_time(spoken_minute(given.to_minute)),
        "minutes": number(given.minutes),
        "least": number(given.least),
        "most": number(given.most),
    }


ACTION_DETAIL = Chain(
    name="planning.action_detail",
    wording=Wording.load(
        Path(__file__).parent.parent / "prompts" / "action_detail.md",
        trusted={"agent_name", "date", "from_time", "to_time", "minutes", "least", "most"},
        data={"summary", "memories", "before", "done", "activity", "place"},
    ),
    given=HourToDetail,
    answer=ActionDetail,
    fills=_fills,
    fallback=hour_as_planned,
)
