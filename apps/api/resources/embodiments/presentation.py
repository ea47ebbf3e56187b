"""The representations of embodiments and of their actions."""

from typing import Any

from rest_framework import serializers

from apps.agents import queries as agent_queries
from apps.api.http.deprecation import deprecated_name_of
from apps.api.http.fields import Choice, Clock, GameTime, Position, Renaming, Tick
from apps.api.http.simulation_context import SimulationContext
from apps.api.resources.embodiments.perception import LATEST_MAX, _heard, _said, _standing
from apps.simulation.commands.embodiments import EmbodimentOverview
from apps.simulation.embodiment import queries as embodiments
from apps.simulation.embodiment.rules import ActionRequest, Embodiment, RequestKind
from apps.simulation.snapshot.world_snapshot import read_world_snapshot

STATES = ["pending", "refused", "open", "ended"]
ACTION_KINDS = [RequestKind.MOVE.value, RequestKind.SAY.value, RequestKind.ACT.value]
OUTCOMES = ["open", "begun", "done", "refused"]


class EmbodimentShown(Renaming):
    """That a user acts for a person, as a list shows it."""

    id = serializers.IntegerField(min_value=1)
    agent = serializers.CharField(help_text="The person's slug.")
    visitor = serializers.BooleanField(help_text="Whether they leave town when it ends.")
    by = serializers.CharField()
    reason = serializers.CharField()
    state = Choice(choices=STATES)
    refusal = serializers.CharField(help_text="Why it never began; empty otherwise.")
    began = GameTime(allow_null=True, **deprecated_name_of("start_at"))
    ended = GameTime(allow_null=True, **deprecated_name_of("end_at"))
    start_at = GameTime(allow_null=True)
    start_tick = Tick(allow_null=True)
    end_at = GameTime(allow_null=True)
    end_tick = Tick(allow_null=True)


class PersonInView(serializers.Serializer[Any]):
    """An agent in view."""

    slug = serializers.CharField()
    name = serializers.CharField()
    doing = serializers.CharField(help_text="A sentence.")
    distance = serializers.IntegerField(help_text="In tiles.")
    talking_with = serializers.CharField(allow_null=True, help_text="A slug.")


class AgentInView(PersonInView):
    """An agent in view of the embodied agent."""


class ObjectInView(serializers.Serializer[Any]):
    """A thing that the person sees."""

    path = serializers.CharField()
    state = serializers.CharField()
    distance = serializers.IntegerField(help_text="In tiles.")


class SaidInTalk(Renaming):
    """Something that was said."""

    by = serializers.CharField(**deprecated_name_of("agent"))
    to = serializers.CharField(help_text="A slug.")
    text = serializers.CharField()
    at = GameTime(**deprecated_name_of("time"))
    agent = serializers.CharField(help_text="The slug of the speaker.")
    tick = Tick()
    time = GameTime()
    ends = serializers.BooleanField(help_text="Whether no answer is waited for.")
    conversation = serializers.CharField()


class TalkInView(serializers.Serializer[Any]):
    """The conversation that the person is in, or is spoken to in."""

    id = serializers.CharField()
    other = serializers.CharField(help_text="A slug.")
    awaits_answer = serializers.BooleanField(
        help_text="Whether the other one spoke last and waits for the person's words."
    )
    utterances = SaidInTalk(many=True)


class ActionAsked(Renaming):
    """Something that was asked of the person, and what has come of it."""

    event = serializers.CharField(help_text="The event that it was asked in.")
    kind = Choice(choices=ACTION_KINDS)
    asked = serializers.DictField(help_text="What was asked.")
    at = GameTime(**deprecated_name_of("effective_at"))
    effective_at = GameTime()
    effective_tick = Tick()
    outcome = Choice(choices=OUTCOMES)
    code = serializers.CharField(help_text="Why it was refused; empty if it was not.")
    why = serializers.CharField(help_text="The same in words.")


class Standing(Renaming):
    """Where the person stands, and what they perceive, at the settled tick."""

    position = Position()
    place = serializers.CharField()
    action = serializers.CharField(help_text='What follows "<name> is".')
    emoji = serializers.CharField()
    people = PersonInView(many=True, **deprecated_name_of("agents"))
    agents = AgentInView(many=True)
    objects = ObjectInView(many=True)
    conversation = TalkInView(allow_null=True)


class EmbodimentDetail(EmbodimentShown):
    """That a user acts for a person, whole."""

    clock = Clock()
    name = serializers.CharField()
    standing = Standing(allow_null=True, help_text="Null while they are not in town.")
    heard = SaidInTalk(
        many=True,
        help_text="What others said to them lately and they heard to the end, in order.",
    )
    actions = ActionAsked(many=True, help_text="What was asked lately, in order.")


def show_embodiment(context: SimulationContext, one: EmbodimentOverview) -> dict[str, Any]:
    """Return the values of `EmbodimentShown`."""
    begun = one.embodiment
    if begun is not None and begun.from_tick > context.as_of_tick:
        begun = None
    ends = None if begun is None else begun.to_tick
    is_over = ends is not None and ends <= context.as_of_tick
    if begun is None:
        state = "refused" if one.refusal else "pending"
    else:
        state = "ended" if is_over else "open"
    return {
        "id": one.number,
        "agent": one.agent,
        "visitor": one.is_visitor,
        "by": one.by,
        "reason": one.reason,
        "state": state,
        "refusal": one.refusal,
        **context.moment("start", None if begun is None else begun.from_tick),
        **context.moment("end", ends if is_over else None),
    }


def detail_embodiment(context: SimulationContext, one: EmbodimentOverview) -> dict[str, Any]:
    """Return the embodiment whole."""
    shown = show_embodiment(context, one)
    begun = one.embodiment if shown["start_at"] is not None else None
    nothing: dict[str, Any] = {"name": one.agent, "standing": None, "heard": [], "actions": []}
    return shown | {"clock": context.clock} | nothing | _of_begun(context, begun)


def _of_begun(context: SimulationContext, begun: Embodiment | None) -> dict[str, Any]:
    if begun is None:
        return {}
    tick = context.as_of_tick
    calls = embodiments.latest_requests(context.id, begun, as_of_tick=tick, count=LATEST_MAX)
    facts = agent_queries.fixed_facts(context.id, begun.agent)
    constants = context.constants()
    town = read_world_snapshot(
        context.id, world=constants.world, seed=constants.seed, from_tick=tick, to_tick=tick
    )
    stands = begun.is_active_at(tick) and town.tile_of(begun.agent, tick) is not None
    return {
        "name": facts.identity.name,
        "standing": _standing(context, town, begun.agent) if stands else None,
        "heard": [_said(context, said) for said in _heard(context, begun)],
        "actions": [_action(context, call) for call in calls],
    }


def _action(context: SimulationContext, call: ActionRequest) -> dict[str, Any]:
    return {
        "event": call.event,
        "kind": call.kind.value,
        "asked": dict(call.body),
        **context.moment("effective", call.tick),
        "outcome": call.outcome or "open",
        "code": call.code,
        "why": call.why,
    }
