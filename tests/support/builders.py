"""Values of the domain for tests, which name what they read; the rest is plain."""

from typing import Any

from apps.agents.events import AgentJoined, Tile
from apps.agents.sharing import SetState
from apps.agents.status import Standing, TieKind
from apps.agents.summary import Hours, Identity
from apps.agents.track import Action, Movement, Track
from apps.dialogue.commitments import OpenCommitment
from apps.dialogue.llm_tasks.takeaways import Commitment, Takeaways
from apps.dialogue.utterances import Spoken
from apps.kernel.game_time import FOREVER_TICK
from apps.memory.events import FactEstablished, FactKind, FactSource, SelfSummarised
from apps.planning.llm_tasks.hour_actions import HourAction
from apps.reaction.llm_tasks import Decision


def identity_of(
    name: str,
    age: int,
    traits: tuple[str, ...],
    home: str,
    *,
    wake: int = 420,
    sleep: int = 1_380,
    workplace: str | None = None,
) -> Identity:
    """Return who an agent is, whose bed is in the room that is its home."""
    return Identity(
        slug=name.lower().replace(" ", "-"),
        name=name,
        age=age,
        traits=traits,
        hours=Hours(wake=wake, sleep=sleep),
        home=home,
        bed=f"{home}: bed",
        workplace=workplace,
    )


def commitment_to(
    activity: str, date: str, starts: str, ends: str, *, place: str = "", **facts: Any
) -> Commitment:
    """Return an agreement of two agents, as in the answer of a model."""
    return Commitment(
        activity=activity, place=place, date=date, starts=starts, ends=ends, **facts
    )


def open_commitment(
    event: str, other: str, activity: str, day: str, minutes: tuple[int, int], *, place: str
) -> OpenCommitment:
    """Return an agreement with the other from one minute of the day to another."""
    from_minute, to_minute = minutes
    return OpenCommitment(
        event=event,
        other=other,
        activity=activity,
        place=place,
        day=day,
        from_minute=from_minute,
        to_minute=to_minute,
    )


def tracked_action(
    description: str = "waiting",
    *,
    from_tick: int = 0,
    until_tick: int = FOREVER_TICK,
    asleep: bool = False,
    event: str = "",
) -> Action:
    """Return an action without an object, of a track."""
    return Action(
        from_tick=from_tick,
        until_tick=until_tick,
        description=description,
        emoji="",
        area="",
        object="",
        object_state="",
        asleep=asleep,
        towards="",
        plan_item=0,
        event=event,
    )


def standing(agent: str, tile: Tile, doing: Action | None = None) -> Track:
    """Return the track of an agent that stays on the tile."""
    action = doing or tracked_action(event=f"0/{agent}/0")
    stays = Movement(from_tick=action.from_tick, steps=(tile,))
    return Track(agent=agent, name=agent.title(), movements=[stays], actions=[action])


def joined(name: str, home: str, tile: Tile, **facts: Any) -> AgentJoined:
    """Return the event that an agent joins, which is awake from 6:40 am to 11 pm."""
    rest: dict[str, Any] = {"bed": f"{home}: bed", "description": "", "knows": ()} | facts
    return AgentJoined(
        name=name,
        age=34,
        traits=("curious",),
        wake_minute=400,
        sleep_minute=1_380,
        dinner_minute=None,
        home=home,
        workplace=None,
        tile=tile,
        **rest,
    )


def hour_action(description: str, *, area: str = "kitchen", **facts: Any) -> HourAction:
    """Return an action of an hour without an object, as in the answer of a model."""
    rest: dict[str, Any] = {
        "object": "none",
        "object_state": "",
        "emoji": "🙂",
        "importance": 2,
        "starts": "00:00",
    } | facts
    return HourAction(description=description, area=area, **rest)


def relationship(
    statement: str, evidence: int, tie: TieKind, standing: Standing
) -> FactEstablished:
    """Return what an agent's description says of Ben."""
    return FactEstablished(
        number=1,
        kind=FactKind.RELATIONSHIP,
        statements=(statement,),
        evidence=(evidence,),
        source=FactSource.DESCRIPTION,
        other="ben",
        tie=tie,
        standing=standing,
    )


def summarised(core: str, *, text: str, due_tick: int, **facts: str) -> SelfSummarised:
    """Return a summary of an agent, which is renewed from the tick on."""
    parts = {"occupation": "", "feeling": ""} | facts
    return SelfSummarised(core=core, text=text, due_tick=due_tick, **parts)


def only_a_gist(gist: str) -> Takeaways:
    """Return takeaways of a conversation in which nothing was learnt or agreed."""
    return Takeaways(gist=gist, learnt=(), agreed=(), declined=(), about_other="", for_plans="")


def spoken_by(
    agent: str, to: str, text: str, *, tick: int, number: int = 1, **facts: Any
) -> Spoken:
    """Return an utterance, of a conversation that it opens unless another is named."""
    event = f"{tick}/{agent}/0"
    rest: dict[str, Any] = {
        "conversation": f"{tick}/{agent}",
        "ends": False,
        "event": event,
    } | facts
    return Spoken(agent=agent, to=to, text=text, tick=tick, number=number, **rest)


def set_state(
    node: str, state: str, from_tick: int, *, ordinal: int = 0, alarming: bool = False
) -> SetState:
    """Return a state of an object that a user has set and nobody has ended."""
    return SetState(
        object=node,
        state=state,
        event=f"{from_tick}/commands/{ordinal}",
        from_tick=from_tick,
        to_tick=None,
        is_alarming=alarming,
    )


def speaks(observation: int, what: str, say: str, **facts: Any) -> Decision:
    """Return the decision to address the agent of the observation."""
    answer: dict[str, Any] = {"choice": "talk", "place": "", "minutes": 0} | facts
    return Decision(observation=observation, what=what, say=say, **answer)
