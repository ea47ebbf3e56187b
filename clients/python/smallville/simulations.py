"""Simulations and their agents as objects: what one reads, asks and changes most often."""

import re
from collections.abc import Coroutine, Sequence
from datetime import datetime, timedelta
from typing import Any, TypeVar, overload
from uuid import uuid4

from smallville import types
from smallville.errors import WorkStopped
from smallville.exchange import Later, Rows, Stream
from smallville.flows import Async, Flow, M, Moded, Plan, Sync, flow
from smallville.operations import Operations
from smallville.records import Record
from smallville.types import Moment
from smallville.waiting import Progress, ended

W = TypeVar("W", bound=Record)
CLOCK_TIME = re.compile(r"\d\d:\d\d(:\d\d)?")
PLANS: Operations[Plan] = Operations(Plan())
"""The operations as parts of flows."""


class Service(Operations[M]):
    """A service: all operations, and the objects that stand for simulations."""

    def simulation(self, simulation: object) -> "Simulation[M]":
        """Return the simulation of an id; nothing is requested."""
        return Simulation(self, str(simulation))

    @flow
    def find(self, name: str) -> Flow["Simulation[M]"]:
        """Return the latest simulation with this name.

        :raises LookupError: if there is none.
        """
        rows = yield from PLANS.list_simulations(search=name, order="-recorded_at").all()
        for row in rows:
            if row.name == name:
                return self.simulation(row.id)
        raise LookupError(f"no simulation is named {name!r}")

    @flow
    def create(self, /, **specification: Any) -> Flow["Simulation[M]"]:
        """Create a simulation; it takes what `create_simulation` takes."""
        created = yield from PLANS.create_simulation(**specification)
        return self.simulation(created.id)

    @overload
    def wait(
        self: "Service[Sync]", work: W, *, timeout: float | None = ..., progress: Progress = ...
    ) -> W: ...

    @overload
    def wait(
        self: "Service[Async]",
        work: W,
        *,
        timeout: float | None = ...,
        progress: Progress = ...,
    ) -> Coroutine[Any, Any, W]: ...

    def wait(
        self, work: Any, *, timeout: float | None = None, progress: Progress = False
    ) -> Any:
        """Return background work, or a command, as soon as it is done.

        :param timeout: at most so many seconds.
        :param progress: True for a bar of tqdm, or a function that is given the work each time.
        :raises WorkStopped: if it is paused, has failed, was cancelled or refused.
        :raises TookTooLong: if it is not over in time.
        """
        mode: Any = self.mode
        return mode.perform(ended(work, timeout=timeout, progress=progress))


class Simulation(Moded[M]):
    """A simulation, now or as of a past moment; `str()` of it is its id.

    All operations of the client take it as their first argument:
    `client.measure_diffusion(simulation, topic=["party"])`.
    """

    def __init__(self, service: Service[M], identity: str, at: Moment | None = None) -> None:
        super().__init__(service.mode)
        self.service, self.id, self.moment = service, identity, at

    def __str__(self) -> str:
        return self.id

    def __repr__(self) -> str:
        return f"Simulation({self.id!r}, at={self.moment!r})"

    def at(self, moment: Moment) -> "Simulation[M]":
        """Return it as of a game time, a tick, or "12:30" of the last day."""
        return Simulation(self.service, self.id, moment)

    def agent(self, slug: str) -> "Agent[M]":
        """Return one of its agents, by the slug; nothing is requested."""
        return Agent(self, slug)

    @flow
    def read(self) -> Flow[types.Simulation]:
        """Return its specification, status and progress, as they are now."""
        return PLANS.get_simulation(self)

    @flow
    def state(self) -> Flow[types.State]:
        """Return who is where, and does what."""
        return PLANS.get_state(self, at=self.parameter)

    def agents(self) -> Rows[M, types.Agent]:
        """Return its agents."""
        return self.service.list_agents(self, at=self.parameter)

    def events(
        self, *kinds: str, agent: str | None = None, limit: int | None = None
    ) -> Rows[M, types.LoggedEvent]:
        """Return the events of the log, of all types or these: `dialogue.said.v1`."""
        given: Any = kinds or None
        return self.service.list_events(
            self, type=given, agent=agent, at=self.parameter, limit=limit
        )

    def conversations(
        self, *, agent: str | None = None, search: str | None = None
    ) -> Rows[M, types.Talk]:
        """Return the conversations."""
        return self.service.list_conversations(
            self, agent=agent, search=search, at=self.parameter
        )

    def memories(
        self, *, search: str | None = None, limit: int | None = None
    ) -> Rows[M, types.AgentMemory]:
        """Return the memories of all agents."""
        return self.service.list_all_memories(
            self, search=search, at=self.parameter, limit=limit
        )

    def follow(
        self, *kinds: str, agent: str | None = None, after: str | None = None, until: Any = None
    ) -> Stream[M, types.LoggedEvent]:
        """Return the events as they are committed, of all types or these.

        :param after: an event's id or "beginning", to be told what happened since; else only
            what is committed from now on is told.
        :param until: "committed" to end at what is committed by now.
        """
        given: Any = kinds or None
        return self.service.follow_events(
            self, type=given, agent=agent, after=after, until=until
        ).events()

    @flow
    def run(
        self,
        until: Moment | None = None,
        *,
        ticks: int | None = None,
        pace: float | None = None,
        wait: bool = True,
        timeout: float | None = None,
        progress: Progress = False,
    ) -> Flow[types.Simulation]:
        """Let it run, and return it when it rests; with `wait=False` at once.

        :param until: a game time, a tick, or "12:30" for the next one.
        :raises WorkStopped: if it is paused before its end.
        """
        body: types.RunRequest = {}
        if until is not None:
            body["until"] = yield from self._settled(until, ahead=True)
        if ticks is not None:
            body["ticks"] = ticks
        if pace is not None:
            body["pace"] = pace
        begun = yield from PLANS.run_simulation(self, **body)
        if not wait:
            return begun
        rested = yield from ended(
            begun,
            timeout=timeout,
            progress=progress,
            read=lambda: PLANS.get_simulation(self),
            is_over=lambda now: now.status != "running",
        )
        if begun.end_tick is not None and rested.clock.tick < begun.end_tick:
            raise WorkStopped(rested, rested.reason)
        return rested

    @flow
    def fork(self, /, **request: Any) -> Flow["Simulation[M]"]:
        """Return a branch from this moment; it takes what `fork_simulation` takes."""
        request.setdefault("at", (yield from self.settled()))
        branch = yield from PLANS.fork_simulation(self, **request)
        return self.service.simulation(branch.id)

    @flow
    def what_if(
        self,
        /,
        *interventions: types.BranchIntervention,
        until: Moment | None = None,
        wait: bool = True,
        timeout: float | None = None,
        progress: Progress = False,
        **request: Any,
    ) -> Flow[types.Counterfactual]:
        """Branch at this moment with interventions, run the branch, and compare the two.

        :param interventions: as `voice`, `observation` and so on make them.
        :param until: the last compared moment; now, if left out.
        :param request: further members of `create_counterfactual`, such as `seed`.
        """
        end = until if until is not None else (yield from PLANS.get_simulation(self)).clock.time
        request["until"] = yield from self._settled(end)
        request.setdefault("name", "what if")
        request.setdefault("at", (yield from self.settled()))
        found = yield from PLANS.create_counterfactual(
            self, interventions=interventions, **request
        )
        if not wait:
            return found
        return (yield from ended(found, timeout=timeout, progress=progress))

    @flow
    def survey(
        self,
        questionnaire: str | Sequence[str | types.TypedQuestion],
        /,
        *,
        timeout: float | None = None,
        progress: Progress = False,
        **request: Any,
    ) -> Flow[Rows[M, types.SurveyInterview]]:
        """Ask agents, and return their answers when all are there.

        :param questionnaire: the name of one that the service has, or questions.
        :param request: further members of `request_survey`: `agents`, `moments`, `conditions`.
        """
        if not isinstance(questionnaire, str):
            questions: Any = [
                {"name": f"q{number}", "text": one} if isinstance(one, str) else one
                for number, one in enumerate(questionnaire, 1)
            ]
            added = yield from PLANS.add_questionnaire(
                name=f"client-{uuid4()}", questions=questions
            )
            questionnaire = added.name
        if self.moment is not None:
            request.setdefault("moments", [(yield from self.settled())])
        asked = yield from PLANS.request_survey(self, questionnaire=questionnaire, **request)
        yield from ended(asked, timeout=timeout, progress=progress)
        return self.service.list_survey_interviews(self, asked.id)

    @flow
    def compare(
        self, other: object, *, about: Any = None, until: Moment | None = None
    ) -> Flow[types.Comparison]:
        """Return where this history and another differ."""
        return PLANS.compare_simulations(self, other, about=about, until=until)

    @property
    def parameter(self) -> Any:
        """The moment as a parameter that is settled when the request is sent."""
        return None if self.moment is None else Later(self.settled)

    def settled(self) -> Flow[Moment]:
        """Return the moment of this object: the committed one, if it has none."""
        if self.moment is None:
            return (yield from PLANS.get_simulation(self)).clock.tick
        return (yield from self._settled(self.moment))

    def _settled(self, moment: Moment, *, ahead: bool = False) -> Flow[Moment]:
        """Return a moment with its day: a time without one is the last of it, or the next."""
        if not (isinstance(moment, str) and CLOCK_TIME.fullmatch(moment)):
            return moment
        now = datetime.fromisoformat((yield from PLANS.get_simulation(self)).clock.time)
        found = datetime.fromisoformat(f"{now:%Y-%m-%d}T{moment}")
        if ahead:
            return found if found > now else found + timedelta(days=1)
        return found if found <= now else found - timedelta(days=1)


class Agent(Moded[M]):
    """An agent of a simulation, as of the moment of the simulation object."""

    def __init__(self, simulation: Simulation[M], slug: str) -> None:
        super().__init__(simulation.mode)
        self.simulation, self.slug, self._service = simulation, slug, simulation.service

    def __str__(self) -> str:
        return self.slug

    def __repr__(self) -> str:
        return f"{self.simulation!r}.agent({self.slug!r})"

    @flow
    def read(self) -> Flow[types.AgentDetail]:
        """Return who it is, and what it does."""
        return PLANS.get_agent(self.simulation, self, at=self.simulation.parameter)

    @flow
    def summary(self) -> Flow[types.Summary]:
        """Return the summary description that opens its prompts."""
        return PLANS.get_summary(self.simulation, self, at=self.simulation.parameter)

    @flow
    def plan(self) -> Flow[types.Plan]:
        """Return the plan of its day."""
        return PLANS.get_plan(self.simulation, self, at=self.simulation.parameter)

    def memories(
        self,
        *,
        search: str | None = None,
        kind: Any = None,
        order: Any = None,
        limit: int | None = None,
    ) -> Rows[M, types.Memory]:
        """Return its memories, the latest first."""
        return self._service.list_memories(
            self.simulation,
            self,
            at=self.simulation.parameter,
            search=search,
            kind=kind,
            order=order,
            limit=limit,
        )

    def timeline(self, *, search: str | None = None) -> Rows[M, types.TimelineEntry]:
        """Return what it did."""
        return self._service.list_timeline(
            self.simulation, self, at=self.simulation.parameter, search=search
        )

    def facts(self) -> Rows[M, types.Fact]:
        """Return what is lasting about it."""
        return self._service.list_facts(self.simulation, self, at=self.simulation.parameter)

    @flow
    def remember(self, query: str, /, **request: Any) -> Flow[types.Ranking]:
        """Retrieve memories as a prompt would; it takes what `retrieve_memories` takes."""
        request.setdefault("at", (yield from self.simulation.settled()))
        return (
            yield from PLANS.retrieve_memories(self.simulation, self, query=query, **request)
        )

    @flow
    def ask(
        self, question: str, /, *, timeout: float | None = None, **request: Any
    ) -> Flow[types.Interview]:
        """Interview it outside of its history; it takes what `interview_agent` takes."""
        if not request.get("remember"):
            request.setdefault("at", (yield from self.simulation.settled()))
        asked = yield from PLANS.interview_agent(
            self.simulation, self, question=question, **request
        )
        return (yield from ended(asked, timeout=timeout))

    @flow
    def tell(self, text: str, /, **request: Any) -> Flow[types.CommandStatus]:
        """Give it a thought of its own, the inner voice."""
        return PLANS.give_inner_voice(self.simulation, self, text=text, **request)

    @flow
    def show(self, text: str, /, **request: Any) -> Flow[types.CommandStatus]:
        """Let it perceive something."""
        return PLANS.give_observation(self.simulation, self, text=text, **request)


def voice(agent: str, text: str) -> types.BranchIntervention:
    """Return the intervention by which an agent has a thought of its own."""
    return {"kind": "inner-voice", "agent": agent, "text": text}


def observation(agent: str, text: str, *, alarming: bool = False) -> types.BranchIntervention:
    """Return the intervention by which an agent perceives something."""
    return {"kind": "observation", "agent": agent, "text": text, "alarming": alarming}


def object_state(place: str, text: str) -> types.BranchIntervention:
    """Return the intervention by which an object is in a state, such as burning."""
    return {"kind": "set-object-state", "object": place, "text": text}


def departure(agent: str) -> types.BranchIntervention:
    """Return the intervention by which an agent leaves."""
    return {"kind": "send-away", "agent": agent}
