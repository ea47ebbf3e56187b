"""All operations of the service, each a method.

Made from the OpenAPI document by `make client`; do not edit.
"""

from collections.abc import Sequence
from os import PathLike
from typing import Any, Literal, Unpack

from smallville import types
from smallville.exchange import Exchange, Message, Rows, Stream, path_of
from smallville.flows import Flow, M, flow


class Operations(Exchange[M]):
    """The operations of the OpenAPI document, by their names there."""

    @flow
    def estimate_costs(
        self,
        /,
        *,
        agents: int | None = None,
        days: float | None = None,
        model: str | None = None,
        world: str | None = None,
    ) -> Flow[types.CostEstimate]:
        """Estimate calls, tokens and cost of game days, before anything is set up."""
        return self.document(
            types.CostEstimate,
            "GET",
            "/api/v1/costs/estimate",
            {"agents": agents, "days": days, "model": model, "world": world},
        )

    @flow
    def get_docs(self, /, *, save_as: str | PathLike[str] | None = None) -> Flow[bytes]:
        """Show this interface as a page, on which requests can be tried."""
        return self.content("/api/v1/docs", {}, save_as)

    def list_experiments(
        self,
        /,
        *,
        order: Literal["recorded_at", "-recorded_at"] | None = None,
        search: str | None = None,
        limit: int | None = None,
    ) -> Rows[M, types.ExperimentSummary]:
        """List the experiments, by default the latest first."""
        return Rows(
            self,
            types.ExperimentSummary,
            "/api/v1/experiments",
            {"order": order, "search": search},
            limit,
        )

    @flow
    def create_experiment(
        self, /, **body: Unpack[types.NewExperimentRequest]
    ) -> Flow[types.Experiment]:
        """Run simulations under conditions, measure them at moments, and compare them by seed."""
        return self.document(types.Experiment, "POST", "/api/v1/experiments", {}, body=body)

    @flow
    def get_experiment(self, experiment: object, /) -> Flow[types.Experiment]:
        """Show a experiment: its state and its progress."""
        return self.document(
            types.Experiment, "GET", path_of("/api/v1/experiments/{}", experiment), {}
        )

    @flow
    def delete_experiment(self, experiment: object, /) -> Flow[None]:
        """Delete a experiment; if it is in progress, it stops."""
        return self.document(None, "DELETE", path_of("/api/v1/experiments/{}", experiment), {})

    @flow
    def cancel_experiment(
        self, experiment: object, /, **body: Unpack[types.ReasonToStopRequest]
    ) -> Flow[types.Experiment]:
        """End a experiment before its end."""
        return self.document(
            types.Experiment,
            "POST",
            path_of("/api/v1/experiments/{}/cancel", experiment),
            {},
            body=body,
        )

    def list_experiment_events(
        self,
        experiment: object,
        /,
        *,
        order: Literal["number", "-number"] | None = None,
        search: str | None = None,
        limit: int | None = None,
    ) -> Rows[M, types.ExperimentEventShown]:
        """List what was requested, done and observed, in order."""
        return Rows(
            self,
            types.ExperimentEventShown,
            path_of("/api/v1/experiments/{}/events", experiment),
            {"order": order, "search": search},
            limit,
        )

    @flow
    def pause_experiment(
        self, experiment: object, /, **body: Unpack[types.ReasonToStopRequest]
    ) -> Flow[types.Experiment]:
        """Pause a experiment until a user resumes it."""
        return self.document(
            types.Experiment,
            "POST",
            path_of("/api/v1/experiments/{}/pause", experiment),
            {},
            body=body,
        )

    def list_experiment_figures(
        self,
        experiment: object,
        /,
        *,
        order: Literal["number", "-number"] | None = None,
        search: str | None = None,
        limit: int | None = None,
    ) -> Rows[M, types.ExperimentFigure]:
        """List the figures of all measures, with the reason why one is not drawn."""
        return Rows(
            self,
            types.ExperimentFigure,
            path_of("/api/v1/experiments/{}/plots", experiment),
            {"order": order, "search": search},
            limit,
        )

    @flow
    def get_experiment_figure(
        self,
        experiment: object,
        figure: object,
        /,
        *,
        save_as: str | PathLike[str] | None = None,
    ) -> Flow[bytes]:
        """Draw a measure so far by condition as SVG; the report as Markdown links to it."""
        return self.content(
            path_of("/api/v1/experiments/{}/plots/{}.svg", experiment, figure), {}, save_as
        )

    @flow
    def get_experiment_report(
        self,
        experiment: object,
        /,
        *,
        format: Literal["html", "markdown"] | None = None,
        save_as: str | PathLike[str] | None = None,
    ) -> Flow[bytes]:
        """Show the report so far, with its figures or with links to them."""
        return self.content(
            path_of("/api/v1/experiments/{}/report", experiment), {"format": format}, save_as
        )

    def list_experiment_results(
        self,
        experiment: object,
        /,
        *,
        order: Literal["number", "-number"] | None = None,
        search: str | None = None,
        limit: int | None = None,
    ) -> Rows[M, types.ExperimentValue]:
        """List the values of all measures of all runs so far: the long table."""
        return Rows(
            self,
            types.ExperimentValue,
            path_of("/api/v1/experiments/{}/results", experiment),
            {"order": order, "search": search},
            limit,
        )

    @flow
    def resume_experiment(
        self, experiment: object, /, **body: Unpack[types.ResumedBudgetRequest]
    ) -> Flow[types.Experiment]:
        """Let a experiment go on that is paused or has failed."""
        return self.document(
            types.Experiment,
            "POST",
            path_of("/api/v1/experiments/{}/resume", experiment),
            {},
            body=body,
        )

    def list_experiment_runs(
        self,
        experiment: object,
        /,
        *,
        order: Literal["number", "-number"] | None = None,
        search: str | None = None,
        limit: int | None = None,
    ) -> Rows[M, types.ExperimentRun]:
        """List the runs with their simulations, their estimates and their use."""
        return Rows(
            self,
            types.ExperimentRun,
            path_of("/api/v1/experiments/{}/runs", experiment),
            {"order": order, "search": search},
            limit,
        )

    def list_experiment_summaries(
        self,
        experiment: object,
        /,
        *,
        order: Literal["number", "-number"] | None = None,
        search: str | None = None,
        limit: int | None = None,
    ) -> Rows[M, types.ConditionSummary]:
        """List means, bootstrap intervals and paired tests by measure and condition."""
        return Rows(
            self,
            types.ConditionSummary,
            path_of("/api/v1/experiments/{}/summary", experiment),
            {"order": order, "search": search},
            limit,
        )

    @flow
    def estimate_experiment(
        self, /, **body: Unpack[types.ExperimentDesignRequest]
    ) -> Flow[types.ExperimentEstimateShown]:
        """Estimate the cost of a experiment without asking anything."""
        return self.document(
            types.ExperimentEstimateShown, "POST", "/api/v1/experiments/estimate", {}, body=body
        )

    def list_exporters(
        self,
        /,
        *,
        order: Literal["name", "-name"] | None = None,
        search: str | None = None,
        limit: int | None = None,
    ) -> Rows[M, types.RegisteredFunction]:
        """List the forms in which a history can be exported for other programs."""
        return Rows(
            self,
            types.RegisteredFunction,
            "/api/v1/exporters",
            {"order": order, "search": search},
            limit,
        )

    def list_imports(
        self,
        /,
        *,
        order: Literal["recorded_at", "-recorded_at"] | None = None,
        search: str | None = None,
        limit: int | None = None,
    ) -> Rows[M, types.ImportedArchive]:
        """List your imports, by default the latest first."""
        return Rows(
            self,
            types.ImportedArchive,
            "/api/v1/imports",
            {"order": order, "search": search},
            limit,
        )

    @flow
    def import_simulation(
        self, /, archive: bytes | PathLike[str], *, prefer: str | None = None
    ) -> Flow[types.Simulation | types.ImportedArchive]:
        """Import an archive as a new simulation of yours."""
        return self.document(
            types.Simulation | types.ImportedArchive,
            "POST",
            "/api/v1/imports",
            {},
            body=archive,
            headers={"Prefer": prefer},
        )

    @flow
    def get_import(self, import_id: object, /) -> Flow[types.ImportedArchive]:
        """Show a import: its state and its progress."""
        return self.document(
            types.ImportedArchive, "GET", path_of("/api/v1/imports/{}", import_id), {}
        )

    @flow
    def delete_import(self, import_id: object, /) -> Flow[None]:
        """Delete a import; if it is in progress, it stops."""
        return self.document(None, "DELETE", path_of("/api/v1/imports/{}", import_id), {})

    @flow
    def cancel_import(
        self, import_id: object, /, **body: Unpack[types.ReasonToStopRequest]
    ) -> Flow[types.ImportedArchive]:
        """End a import before its end."""
        return self.document(
            types.ImportedArchive,
            "POST",
            path_of("/api/v1/imports/{}/cancel", import_id),
            {},
            body=body,
        )

    @flow
    def pause_import(
        self, import_id: object, /, **body: Unpack[types.ReasonToStopRequest]
    ) -> Flow[types.ImportedArchive]:
        """Pause a import until a user resumes it."""
        return self.document(
            types.ImportedArchive,
            "POST",
            path_of("/api/v1/imports/{}/pause", import_id),
            {},
            body=body,
        )

    @flow
    def resume_import(
        self, import_id: object, /, **body: Unpack[types.ResumptionRequest]
    ) -> Flow[types.ImportedArchive]:
        """Let a import go on that is paused or has failed."""
        return self.document(
            types.ImportedArchive,
            "POST",
            path_of("/api/v1/imports/{}/resume", import_id),
            {},
            body=body,
        )

    @flow
    def estimate_import(self, /, archive: bytes | PathLike[str]) -> Flow[types.ImportEstimate]:
        """Show what the import of an archive would read, without importing it."""
        return self.document(
            types.ImportEstimate, "POST", "/api/v1/imports/estimate", {}, body=archive
        )

    def list_judges(
        self,
        /,
        *,
        order: Literal["name", "-name"] | None = None,
        search: str | None = None,
        limit: int | None = None,
    ) -> Rows[M, types.RegisteredFunction]:
        """List the functions that can rank answers in place of a model or people."""
        return Rows(
            self,
            types.RegisteredFunction,
            "/api/v1/judges",
            {"order": order, "search": search},
            limit,
        )

    def list_measures(
        self,
        /,
        *,
        order: Literal["name", "-name"] | None = None,
        search: str | None = None,
        limit: int | None = None,
    ) -> Rows[M, types.RegisteredFunction]:
        """List the measures that an experiment can choose by name."""
        return Rows(
            self,
            types.RegisteredFunction,
            "/api/v1/measures",
            {"order": order, "search": search},
            limit,
        )

    def list_models(
        self,
        /,
        *,
        order: Literal["model", "-model"] | None = None,
        search: str | None = None,
        limit: int | None = None,
    ) -> Rows[M, types.ModelOffer]:
        """List the models that simulations may use, with their prices."""
        return Rows(
            self, types.ModelOffer, "/api/v1/models", {"order": order, "search": search}, limit
        )

    @flow
    def check_model(self, model: object, /) -> Flow[types.ModelCheck]:
        """Check what a model can do."""
        return self.document(
            types.ModelCheck, "POST", path_of("/api/v1/models/{}/check", model), {}
        )

    def list_questionnaires(
        self,
        /,
        *,
        order: Literal["name", "-name"] | None = None,
        search: str | None = None,
        limit: int | None = None,
    ) -> Rows[M, types.ShownQuestionnaire]:
        """List the questionnaires of the service and your own."""
        return Rows(
            self,
            types.ShownQuestionnaire,
            "/api/v1/questionnaires",
            {"order": order, "search": search},
            limit,
        )

    @flow
    def add_questionnaire(
        self, /, **body: Unpack[types.QuestionnaireRequest]
    ) -> Flow[types.ShownQuestionnaire]:
        """Add a questionnaire; its questions cannot be changed."""
        return self.document(
            types.ShownQuestionnaire, "POST", "/api/v1/questionnaires", {}, body=body
        )

    @flow
    def get_questionnaire(self, questionnaire: object, /) -> Flow[types.ShownQuestionnaire]:
        """Show a questionnaire."""
        return self.document(
            types.ShownQuestionnaire,
            "GET",
            path_of("/api/v1/questionnaires/{}", questionnaire),
            {},
        )

    @flow
    def delete_questionnaire(self, questionnaire: object, /) -> Flow[None]:
        """Delete a questionnaire of yours; surveys keep the questions that they asked."""
        return self.document(
            None, "DELETE", path_of("/api/v1/questionnaires/{}", questionnaire), {}
        )

    @flow
    def get_schema(self, /) -> Flow[dict[str, Any]]:
        """Show this interface as an OpenAPI 3.1 document."""
        return self.document(dict[str, Any], "GET", "/api/v1/schema", {})

    def list_simulations(
        self,
        /,
        *,
        experiment: str | None = None,
        order: Literal["recorded_at", "-recorded_at"] | None = None,
        search: str | None = None,
        limit: int | None = None,
    ) -> Rows[M, types.Simulation]:
        """List the simulations that you have a role in, by default the newest first."""
        return Rows(
            self,
            types.Simulation,
            "/api/v1/simulations",
            {"experiment": experiment, "order": order, "search": search},
            limit,
        )

    @flow
    def create_simulation(
        self, /, **body: Unpack[types.SimulationSpecRequest]
    ) -> Flow[types.Simulation]:
        """Create a simulation; all agents are asleep at home, and it is paused."""
        return self.document(types.Simulation, "POST", "/api/v1/simulations", {}, body=body)

    @flow
    def get_simulation(self, simulation: object, /) -> Flow[types.Simulation]:
        """Show a simulation."""
        return self.document(
            types.Simulation, "GET", path_of("/api/v1/simulations/{}", simulation), {}
        )

    @flow
    def change_simulation(
        self, simulation: object, /, **body: Unpack[types.PatchedChangeSimulationRequest]
    ) -> Flow[types.Simulation]:
        """Rename a simulation, or change its budget while it is paused; for its owners."""
        return self.document(
            types.Simulation,
            "PATCH",
            path_of("/api/v1/simulations/{}", simulation),
            {},
            body=body,
        )

    @flow
    def delete_simulation(
        self, simulation: object, /, *, keep_branches: bool | None = None
    ) -> Flow[None]:
        """Delete a paused simulation with its whole history; for its owners."""
        return self.document(
            None,
            "DELETE",
            path_of("/api/v1/simulations/{}", simulation),
            {"keep_branches": keep_branches},
        )

    def list_agents(
        self,
        simulation: object,
        /,
        *,
        at: types.Moment | None = None,
        order: Literal["slug", "-slug"] | None = None,
        search: str | None = None,
        limit: int | None = None,
    ) -> Rows[M, types.Agent]:
        """List the agents of a simulation, by slug."""
        return Rows(
            self,
            types.Agent,
            path_of("/api/v1/simulations/{}/agents", simulation),
            {"at": at, "order": order, "search": search},
            limit,
        )

    @flow
    def add_agent(
        self, simulation: object, /, **body: Unpack[types.NewcomerRequest]
    ) -> Flow[types.CommandStatus]:
        """Add an agent to a simulation, before or during a run."""
        return self.document(
            types.CommandStatus,
            "POST",
            path_of("/api/v1/simulations/{}/agents", simulation),
            {},
            body=body,
        )

    @flow
    def get_agent(
        self, simulation: object, agent: object, /, *, at: types.Moment | None = None
    ) -> Flow[types.AgentDetail]:
        """Show an agent: identity, home, workplace, hours, current action."""
        return self.document(
            types.AgentDetail,
            "GET",
            path_of("/api/v1/simulations/{}/agents/{}", simulation, agent),
            {"at": at},
        )

    @flow
    def send_agent_away(
        self, simulation: object, agent: object, /
    ) -> Flow[types.CommandStatus]:
        """Remove an agent from a simulation; its memories can still be read."""
        return self.document(
            types.CommandStatus,
            "DELETE",
            path_of("/api/v1/simulations/{}/agents/{}", simulation, agent),
            {},
        )

    @flow
    def embody_agent(
        self, simulation: object, agent: object, /, **body: Unpack[types.EntryRequest]
    ) -> Flow[types.Begun]:
        """Control an agent: from then on it carries out requests, and decides nothing."""
        return self.document(
            types.Begun,
            "POST",
            path_of("/api/v1/simulations/{}/agents/{}/embodiment", simulation, agent),
            {},
            body=body,
        )

    def list_facts(
        self,
        simulation: object,
        agent: object,
        /,
        *,
        at: types.Moment | None = None,
        current: bool | None = None,
        kind: Literal[
            "occupation", "pursuit", "routine", "relationship", "intention", "state", "secret"
        ]
        | None = None,
        order: Literal["number", "-number", "start_at", "-start_at"] | None = None,
        search: str | None = None,
        limit: int | None = None,
    ) -> Rows[M, types.Fact]:
        """List all versions of an agent's lasting facts, by default by their numbers."""
        return Rows(
            self,
            types.Fact,
            path_of("/api/v1/simulations/{}/agents/{}/facts", simulation, agent),
            {"at": at, "current": current, "kind": kind, "order": order, "search": search},
            limit,
        )

    @flow
    def give_inner_voice(
        self, simulation: object, agent: object, /, **body: Unpack[types.ThoughtRequest]
    ) -> Flow[types.CommandStatus]:
        """Give an agent a thought as its own; it plans the rest of the day again for it."""
        return self.document(
            types.CommandStatus,
            "POST",
            path_of("/api/v1/simulations/{}/agents/{}/inner-voice", simulation, agent),
            {},
            body=body,
        )

    @flow
    def interview_agent(
        self,
        simulation: object,
        agent: object,
        /,
        *,
        prefer: str | None = None,
        **body: Unpack[types.QuestionRequest],
    ) -> Flow[types.Interview]:
        """Interview an agent; it remembers the interview only on request."""
        return self.document(
            types.Interview,
            "POST",
            path_of("/api/v1/simulations/{}/agents/{}/interviews", simulation, agent),
            {},
            body=body,
            headers={"Prefer": prefer},
        )

    @flow
    def estimate_interview(
        self, simulation: object, agent: object, /, **body: Unpack[types.QuestionRequest]
    ) -> Flow[types.WorkEstimate]:
        """Estimate calls, tokens and cost of an interview without asking anything."""
        return self.document(
            types.WorkEstimate,
            "POST",
            path_of("/api/v1/simulations/{}/agents/{}/interviews/estimate", simulation, agent),
            {},
            body=body,
        )

    def list_known_places(
        self,
        simulation: object,
        agent: object,
        /,
        *,
        at: types.Moment | None = None,
        order: Literal["path", "-path"] | None = None,
        search: str | None = None,
        limit: int | None = None,
    ) -> Rows[M, types.KnownNode]:
        """List the places, areas and objects that an agent knows, by path."""
        return Rows(
            self,
            types.KnownNode,
            path_of("/api/v1/simulations/{}/agents/{}/known-places", simulation, agent),
            {"at": at, "order": order, "search": search},
            limit,
        )

    def list_memories(
        self,
        simulation: object,
        agent: object,
        /,
        *,
        at: types.Moment | None = None,
        from_: types.Moment | None = None,
        kind: Sequence[Literal["observation", "reflection", "plan", "dialogue"]] | None = None,
        order: Literal[
            "created_at",
            "-created_at",
            "importance",
            "-importance",
            "last_retrieved_at",
            "-last_retrieved_at",
        ]
        | None = None,
        search: str | None = None,
        to: types.Moment | None = None,
        limit: int | None = None,
    ) -> Rows[M, types.Memory]:
        """List the memories of an agent, by default the newest first."""
        return Rows(
            self,
            types.Memory,
            path_of("/api/v1/simulations/{}/agents/{}/memories", simulation, agent),
            {"at": at, "from": from_, "kind": kind, "order": order, "search": search, "to": to},
            limit,
        )

    @flow
    def get_memory(
        self,
        simulation: object,
        agent: object,
        number: object,
        /,
        *,
        at: types.Moment | None = None,
    ) -> Flow[types.OneMemoryWithEvent]:
        """Show a memory, with the event that formed it."""
        return self.document(
            types.OneMemoryWithEvent,
            "GET",
            path_of("/api/v1/simulations/{}/agents/{}/memories/{}", simulation, agent, number),
            {"at": at},
        )

    @flow
    def give_observation(
        self, simulation: object, agent: object, /, **body: Unpack[types.PerceivedRequest]
    ) -> Flow[types.CommandStatus]:
        """Give an agent an observation; it remembers it and may react to it."""
        return self.document(
            types.CommandStatus,
            "POST",
            path_of("/api/v1/simulations/{}/agents/{}/observations", simulation, agent),
            {},
            body=body,
        )

    @flow
    def get_plan(
        self,
        simulation: object,
        agent: object,
        /,
        *,
        at: types.Moment | None = None,
        day: str | None = None,
    ) -> Flow[types.Plan]:
        """Show an agent's plan of a day as a tree: outline, hours, actions."""
        return self.document(
            types.Plan,
            "GET",
            path_of("/api/v1/simulations/{}/agents/{}/plan", simulation, agent),
            {"at": at, "day": day},
        )

    def list_reflections(
        self,
        simulation: object,
        agent: object,
        /,
        *,
        at: types.Moment | None = None,
        order: Literal["created_at", "-created_at"] | None = None,
        search: str | None = None,
        limit: int | None = None,
    ) -> Rows[M, types.Reflection]:
        """List the reflections of an agent with their trees, by default the newest first."""
        return Rows(
            self,
            types.Reflection,
            path_of("/api/v1/simulations/{}/agents/{}/reflections", simulation, agent),
            {"at": at, "order": order, "search": search},
            limit,
        )

    @flow
    def retrieve_memories(
        self, simulation: object, agent: object, /, **body: Unpack[types.RetrievalRequest]
    ) -> Flow[types.Ranking]:
        """Rank an agent's memories for a query, with the parts of their scores."""
        return self.document(
            types.Ranking,
            "POST",
            path_of("/api/v1/simulations/{}/agents/{}/retrievals", simulation, agent),
            {},
            body=body,
        )

    @flow
    def get_summary(
        self, simulation: object, agent: object, /, *, at: types.Moment | None = None
    ) -> Flow[types.Summary]:
        """Show the summary description of an agent, as prompts have it."""
        return self.document(
            types.Summary,
            "GET",
            path_of("/api/v1/simulations/{}/agents/{}/summary", simulation, agent),
            {"at": at},
        )

    def list_timeline(
        self,
        simulation: object,
        agent: object,
        /,
        *,
        at: types.Moment | None = None,
        from_: types.Moment | None = None,
        order: Literal["start_at", "-start_at"] | None = None,
        search: str | None = None,
        to: types.Moment | None = None,
        limit: int | None = None,
    ) -> Rows[M, types.TimelineEntry]:
        """List the actions of an agent, by default the earliest first."""
        return Rows(
            self,
            types.TimelineEntry,
            path_of("/api/v1/simulations/{}/agents/{}/timeline", simulation, agent),
            {"at": at, "from": from_, "order": order, "search": search, "to": to},
            limit,
        )

    @flow
    def measure_attendance(
        self, simulation: object, /, **body: Unpack[types.GatheringRequest]
    ) -> Flow[types.AttendanceReport]:
        """Find who knew of a gathering, who had agreed to come, and who came for how long."""
        return self.document(
            types.AttendanceReport,
            "POST",
            path_of("/api/v1/simulations/{}/attendance", simulation),
            {},
            body=body,
        )

    def list_commands(
        self,
        simulation: object,
        /,
        *,
        agent: str | None = None,
        kind: Literal[
            "add-agent",
            "send-away",
            "set-object-state",
            "inner-voice",
            "observation",
            "remember-interview",
            "embody",
            "visit",
            "embodied-action",
            "hand-back",
        ]
        | None = None,
        order: Literal["recorded_at", "-recorded_at"] | None = None,
        search: str | None = None,
        state: Literal["pending", "accepted", "done", "refused"] | None = None,
        limit: int | None = None,
    ) -> Rows[M, types.CommandStatus]:
        """List the commands and their outcomes, by default the latest first."""
        return Rows(
            self,
            types.CommandStatus,
            path_of("/api/v1/simulations/{}/commands", simulation),
            {"agent": agent, "kind": kind, "order": order, "search": search, "state": state},
            limit,
        )

    @flow
    def get_command(self, simulation: object, command: object, /) -> Flow[types.CommandStatus]:
        """Show the outcome of a command."""
        return self.document(
            types.CommandStatus,
            "GET",
            path_of("/api/v1/simulations/{}/commands/{}", simulation, command),
            {},
        )

    @flow
    def compare_simulations(
        self,
        simulation: object,
        other: object,
        /,
        *,
        about: str | None = None,
        until: types.Moment | None = None,
    ) -> Flow[types.Comparison]:
        """Compare two histories: the first event that differs, and what follows from it."""
        return self.document(
            types.Comparison,
            "GET",
            path_of("/api/v1/simulations/{}/comparisons/{}", simulation, other),
            {"about": about, "until": until},
        )

    def list_conversations(
        self,
        simulation: object,
        /,
        *,
        agent: str | None = None,
        at: types.Moment | None = None,
        between: Sequence[str] | None = None,
        from_: types.Moment | None = None,
        open: bool | None = None,
        order: Literal["start_at", "-start_at"] | None = None,
        search: str | None = None,
        to: types.Moment | None = None,
        limit: int | None = None,
    ) -> Rows[M, types.Talk]:
        """List the conversations of a simulation, by default by their beginning."""
        return Rows(
            self,
            types.Talk,
            path_of("/api/v1/simulations/{}/conversations", simulation),
            {
                "agent": agent,
                "at": at,
                "between": between,
                "from": from_,
                "open": open,
                "order": order,
                "search": search,
                "to": to,
            },
            limit,
        )

    @flow
    def get_conversation(
        self,
        simulation: object,
        tick: object,
        opener: object,
        /,
        *,
        at: types.Moment | None = None,
    ) -> Flow[types.TalkInFull]:
        """Show a conversation; its id ends the address."""
        return self.document(
            types.TalkInFull,
            "GET",
            path_of("/api/v1/simulations/{}/conversations/{}/{}", simulation, tick, opener),
            {"at": at},
        )

    @flow
    def get_costs(
        self,
        simulation: object,
        /,
        *,
        at: types.Moment | None = None,
        by: Literal["task", "model", "agent", "day"] | None = None,
    ) -> Flow[types.CostTable]:
        """Show the costs of the model calls, by LLM task, model, agent and game day."""
        return self.document(
            types.CostTable,
            "GET",
            path_of("/api/v1/simulations/{}/costs", simulation),
            {"at": at, "by": by},
        )

    @flow
    def get_cost_estimate(
        self,
        simulation: object,
        /,
        *,
        ticks: int | None = None,
        until: types.Moment | None = None,
    ) -> Flow[types.CostEstimate]:
        """Estimate the cost of a run from now on, and name the source of the estimate."""
        return self.document(
            types.CostEstimate,
            "GET",
            path_of("/api/v1/simulations/{}/costs/estimate", simulation),
            {"ticks": ticks, "until": until},
        )

    def list_counterfactuals(
        self,
        simulation: object,
        /,
        *,
        order: Literal["recorded_at", "-recorded_at"] | None = None,
        search: str | None = None,
        limit: int | None = None,
    ) -> Rows[M, types.Counterfactual]:
        """List the counterfactuals, by default the latest first."""
        return Rows(
            self,
            types.Counterfactual,
            path_of("/api/v1/simulations/{}/counterfactuals", simulation),
            {"order": order, "search": search},
            limit,
        )

    @flow
    def create_counterfactual(
        self, simulation: object, /, **body: Unpack[types.CounterfactualRequestRequest]
    ) -> Flow[types.Counterfactual]:
        """Fork a simulation with interventions, run the branch, and compare the two."""
        return self.document(
            types.Counterfactual,
            "POST",
            path_of("/api/v1/simulations/{}/counterfactuals", simulation),
            {},
            body=body,
        )

    @flow
    def get_counterfactual(
        self, simulation: object, counterfactual: object, /
    ) -> Flow[types.Counterfactual]:
        """Show a counterfactual: its state and its progress."""
        return self.document(
            types.Counterfactual,
            "GET",
            path_of("/api/v1/simulations/{}/counterfactuals/{}", simulation, counterfactual),
            {},
        )

    @flow
    def delete_counterfactual(
        self, simulation: object, counterfactual: object, /
    ) -> Flow[None]:
        """Delete a counterfactual; if it is in progress, it stops."""
        return self.document(
            None,
            "DELETE",
            path_of("/api/v1/simulations/{}/counterfactuals/{}", simulation, counterfactual),
            {},
        )

    @flow
    def cancel_counterfactual(
        self,
        simulation: object,
        counterfactual: object,
        /,
        **body: Unpack[types.ReasonToStopRequest],
    ) -> Flow[types.Counterfactual]:
        """End a counterfactual before its end."""
        return self.document(
            types.Counterfactual,
            "POST",
            path_of(
                "/api/v1/simulations/{}/counterfactuals/{}/cancel", simulation, counterfactual
            ),
            {},
            body=body,
        )

    @flow
    def pause_counterfactual(
        self,
        simulation: object,
        counterfactual: object,
        /,
        **body: Unpack[types.ReasonToStopRequest],
    ) -> Flow[types.Counterfactual]:
        """Pause a counterfactual until a user resumes it."""
        return self.document(
            types.Counterfactual,
            "POST",
            path_of(
                "/api/v1/simulations/{}/counterfactuals/{}/pause", simulation, counterfactual
            ),
            {},
            body=body,
        )

    @flow
    def resume_counterfactual(
        self,
        simulation: object,
        counterfactual: object,
        /,
        **body: Unpack[types.ResumptionRequest],
    ) -> Flow[types.Counterfactual]:
        """Let a counterfactual go on that is paused or has failed."""
        return self.document(
            types.Counterfactual,
            "POST",
            path_of(
                "/api/v1/simulations/{}/counterfactuals/{}/resume", simulation, counterfactual
            ),
            {},
            body=body,
        )

    @flow
    def estimate_counterfactual(
        self, simulation: object, /, **body: Unpack[types.CounterfactualToEstimateRequest]
    ) -> Flow[types.CounterfactualEstimate]:
        """Estimate the cost of a counterfactual without asking anything."""
        return self.document(
            types.CounterfactualEstimate,
            "POST",
            path_of("/api/v1/simulations/{}/counterfactuals/estimate", simulation),
            {},
            body=body,
        )

    @flow
    def measure_diffusion(
        self, simulation: object, /, **body: Unpack[types.DiffusingNewsRequest]
    ) -> Flow[types.DiffusionReport]:
        """Find who knows a piece of news by a memory, and by which chain of events."""
        return self.document(
            types.DiffusionReport,
            "POST",
            path_of("/api/v1/simulations/{}/diffusion", simulation),
            {},
            body=body,
        )

    def list_embodiments(
        self,
        simulation: object,
        /,
        *,
        order: Literal["id", "-id"] | None = None,
        search: str | None = None,
        limit: int | None = None,
    ) -> Rows[M, types.EmbodimentShown]:
        """List the embodiments of a simulation by id, ended ones included."""
        return Rows(
            self,
            types.EmbodimentShown,
            path_of("/api/v1/simulations/{}/embodiments", simulation),
            {"order": order, "search": search},
            limit,
        )

    @flow
    def get_embodiment(
        self, simulation: object, embodiment: object, /
    ) -> Flow[types.EmbodimentDetail]:
        """Show an embodiment: position, agents and objects in view, utterances, requests."""
        return self.document(
            types.EmbodimentDetail,
            "GET",
            path_of("/api/v1/simulations/{}/embodiments/{}", simulation, embodiment),
            {},
        )

    @flow
    def hand_back(self, simulation: object, embodiment: object, /) -> Flow[types.CommandStatus]:
        """End an embodiment: the agent decides again; a visitor leaves."""
        return self.document(
            types.CommandStatus,
            "DELETE",
            path_of("/api/v1/simulations/{}/embodiments/{}", simulation, embodiment),
            {},
        )

    @flow
    def act_embodied(
        self,
        simulation: object,
        embodiment: object,
        /,
        **body: Unpack[types.ActionRequestRequest],
    ) -> Flow[types.CommandStatus]:
        """Request a walk, an utterance, an activity, an act with an agent, or an open door."""
        return self.document(
            types.CommandStatus,
            "POST",
            path_of("/api/v1/simulations/{}/embodiments/{}/actions", simulation, embodiment),
            {},
            body=body,
        )

    def list_events(
        self,
        simulation: object,
        /,
        *,
        after: str | None = None,
        agent: str | None = None,
        at: types.Moment | None = None,
        from_: types.Moment | None = None,
        order: Literal["tick", "-tick"] | None = None,
        search: str | None = None,
        to: types.Moment | None = None,
        type: Sequence[str] | None = None,
        limit: int | None = None,
    ) -> Rows[M, types.LoggedEvent]:
        """List the committed events, in canonical order (tick, stream, ordinal)."""
        return Rows(
            self,
            types.LoggedEvent,
            path_of("/api/v1/simulations/{}/events", simulation),
            {
                "after": after,
                "agent": agent,
                "at": at,
                "from": from_,
                "order": order,
                "search": search,
                "to": to,
                "type": type,
            },
            limit,
        )

    @flow
    def get_event(
        self,
        simulation: object,
        tick: object,
        stream: object,
        ordinal: object,
        /,
        *,
        at: types.Moment | None = None,
    ) -> Flow[types.LoggedEvent]:
        """Show an event; its id is the rest of the address."""
        return self.document(
            types.LoggedEvent,
            "GET",
            path_of(
                "/api/v1/simulations/{}/events/{}/{}/{}", simulation, tick, stream, ordinal
            ),
            {"at": at},
        )

    @flow
    def get_provenance(
        self,
        simulation: object,
        tick: object,
        stream: object,
        ordinal: object,
        /,
        *,
        at: types.Moment | None = None,
    ) -> Flow[types.Why]:
        """Show why an event happened: causes, plan, reaction, memories, prompts, answers."""
        return self.document(
            types.Why,
            "GET",
            path_of(
                "/api/v1/simulations/{}/events/{}/{}/{}/provenance",
                simulation,
                tick,
                stream,
                ordinal,
            ),
            {"at": at},
        )

    @flow
    def export_simulation(
        self,
        simulation: object,
        /,
        *,
        form: str | None = None,
        save_as: str | PathLike[str] | None = None,
    ) -> Flow[bytes]:
        """Download the history up to the committed tick as one file."""
        return self.content(
            path_of("/api/v1/simulations/{}/export", simulation), {"form": form}, save_as
        )

    def list_forks(
        self,
        simulation: object,
        /,
        *,
        order: Literal["recorded_at", "-recorded_at"] | None = None,
        search: str | None = None,
        limit: int | None = None,
    ) -> Rows[M, types.Branch]:
        """List the branches of a simulation that you have a role in, by default the newest."""
        return Rows(
            self,
            types.Branch,
            path_of("/api/v1/simulations/{}/forks", simulation),
            {"order": order, "search": search},
            limit,
        )

    @flow
    def fork_simulation(
        self, simulation: object, /, **body: Unpack[types.ForkRequestRequest]
    ) -> Flow[types.Simulation]:
        """Create a branch of a simulation, which may be running; the branch is paused."""
        return self.document(
            types.Simulation,
            "POST",
            path_of("/api/v1/simulations/{}/forks", simulation),
            {},
            body=body,
        )

    def list_interviews(
        self,
        simulation: object,
        /,
        *,
        agent: str | None = None,
        order: Literal["recorded_at", "-recorded_at"] | None = None,
        search: str | None = None,
        limit: int | None = None,
    ) -> Rows[M, types.Interview]:
        """List the interviews of a simulation, by default the latest first."""
        return Rows(
            self,
            types.Interview,
            path_of("/api/v1/simulations/{}/interviews", simulation),
            {"agent": agent, "order": order, "search": search},
            limit,
        )

    @flow
    def get_interview(self, simulation: object, interview: object, /) -> Flow[types.Interview]:
        """Show a interview: its state and its progress."""
        return self.document(
            types.Interview,
            "GET",
            path_of("/api/v1/simulations/{}/interviews/{}", simulation, interview),
            {},
        )

    @flow
    def delete_interview(self, simulation: object, interview: object, /) -> Flow[None]:
        """Delete a interview; if it is in progress, it stops."""
        return self.document(
            None,
            "DELETE",
            path_of("/api/v1/simulations/{}/interviews/{}", simulation, interview),
            {},
        )

    @flow
    def cancel_interview(
        self,
        simulation: object,
        interview: object,
        /,
        **body: Unpack[types.ReasonToStopRequest],
    ) -> Flow[types.Interview]:
        """End a interview before its end."""
        return self.document(
            types.Interview,
            "POST",
            path_of("/api/v1/simulations/{}/interviews/{}/cancel", simulation, interview),
            {},
            body=body,
        )

    @flow
    def pause_interview(
        self,
        simulation: object,
        interview: object,
        /,
        **body: Unpack[types.ReasonToStopRequest],
    ) -> Flow[types.Interview]:
        """Pause a interview until a user resumes it."""
        return self.document(
            types.Interview,
            "POST",
            path_of("/api/v1/simulations/{}/interviews/{}/pause", simulation, interview),
            {},
            body=body,
        )

    @flow
    def resume_interview(
        self, simulation: object, interview: object, /, **body: Unpack[types.ResumptionRequest]
    ) -> Flow[types.Interview]:
        """Let a interview go on that is paused or has failed."""
        return self.document(
            types.Interview,
            "POST",
            path_of("/api/v1/simulations/{}/interviews/{}/resume", simulation, interview),
            {},
            body=body,
        )

    def list_members(
        self,
        simulation: object,
        /,
        *,
        order: Literal["username", "-username"] | None = None,
        search: str | None = None,
        limit: int | None = None,
    ) -> Rows[M, types.Member]:
        """List the members of a simulation, its creator included, by name."""
        return Rows(
            self,
            types.Member,
            path_of("/api/v1/simulations/{}/members", simulation),
            {"order": order, "search": search},
            limit,
        )

    @flow
    def add_member(
        self, simulation: object, /, **body: Unpack[types.NewMemberRequest]
    ) -> Flow[types.Member]:
        """Give a user a role in a simulation; for its owners."""
        return self.document(
            types.Member,
            "POST",
            path_of("/api/v1/simulations/{}/members", simulation),
            {},
            body=body,
        )

    @flow
    def change_member(
        self,
        simulation: object,
        username: object,
        /,
        **body: Unpack[types.PatchedGivenRoleRequest],
    ) -> Flow[types.Member]:
        """Give a member another role; for owners."""
        return self.document(
            types.Member,
            "PATCH",
            path_of("/api/v1/simulations/{}/members/{}", simulation, username),
            {},
            body=body,
        )

    @flow
    def remove_member(self, simulation: object, username: object, /) -> Flow[None]:
        """Remove a member; for owners, and for members to leave."""
        return self.document(
            None,
            "DELETE",
            path_of("/api/v1/simulations/{}/members/{}", simulation, username),
            {},
        )

    def list_all_memories(
        self,
        simulation: object,
        /,
        *,
        agent: str | None = None,
        at: types.Moment | None = None,
        from_: types.Moment | None = None,
        kind: Sequence[Literal["observation", "reflection", "plan", "dialogue"]] | None = None,
        order: Literal[
            "agent", "-agent", "created_at", "-created_at", "importance", "-importance"
        ]
        | None = None,
        search: str | None = None,
        to: types.Moment | None = None,
        limit: int | None = None,
    ) -> Rows[M, types.AgentMemory]:
        """List the memories of all agents, by default one stream after the other."""
        return Rows(
            self,
            types.AgentMemory,
            path_of("/api/v1/simulations/{}/memories", simulation),
            {
                "agent": agent,
                "at": at,
                "from": from_,
                "kind": kind,
                "order": order,
                "search": search,
                "to": to,
            },
            limit,
        )

    def list_model_calls(
        self,
        simulation: object,
        /,
        *,
        agent: str | None = None,
        at: types.Moment | None = None,
        from_: types.Moment | None = None,
        full: bool | None = None,
        order: Literal["tick", "-tick"] | None = None,
        outcome: Literal["valid", "adjusted", "repaired", "fell_back"] | None = None,
        search: str | None = None,
        task: str | None = None,
        to: types.Moment | None = None,
        limit: int | None = None,
    ) -> Rows[M, types.Call]:
        """List the model calls of committed ticks, in the order of tick, stream, call."""
        return Rows(
            self,
            types.Call,
            path_of("/api/v1/simulations/{}/model-calls", simulation),
            {
                "agent": agent,
                "at": at,
                "from": from_,
                "full": full,
                "order": order,
                "outcome": outcome,
                "search": search,
                "task": task,
                "to": to,
            },
            limit,
        )

    @flow
    def get_model_call(
        self,
        simulation: object,
        tick: object,
        stream: object,
        llm_task: object,
        call: object,
        /,
        *,
        at: types.Moment | None = None,
    ) -> Flow[types.CallInFull]:
        """Show a model call: messages, raw answers, attempts; its id ends the address."""
        return self.document(
            types.CallInFull,
            "GET",
            path_of(
                "/api/v1/simulations/{}/model-calls/{}/{}/{}/{}",
                simulation,
                tick,
                stream,
                llm_task,
                call,
            ),
            {"at": at},
        )

    @flow
    def get_model_call_outcomes(
        self, simulation: object, /, *, at: types.Moment | None = None
    ) -> Flow[types.OutcomeTable]:
        """Count the answers that are kept as given, adjusted, asked again or replaced."""
        return self.document(
            types.OutcomeTable,
            "GET",
            path_of("/api/v1/simulations/{}/model-calls/outcomes", simulation),
            {"at": at},
        )

    def list_model_trials(
        self,
        simulation: object,
        /,
        *,
        order: Literal["recorded_at", "-recorded_at"] | None = None,
        search: str | None = None,
        limit: int | None = None,
    ) -> Rows[M, types.ModelTrial]:
        """List the model trials, by default the latest first."""
        return Rows(
            self,
            types.ModelTrial,
            path_of("/api/v1/simulations/{}/model-trials", simulation),
            {"order": order, "search": search},
            limit,
        )

    @flow
    def request_model_trial(
        self, simulation: object, /, **body: Unpack[types.TrialRequestRequest]
    ) -> Flow[types.ModelTrial]:
        """Ask another model a sample of the recorded calls, and compare the answers."""
        return self.document(
            types.ModelTrial,
            "POST",
            path_of("/api/v1/simulations/{}/model-trials", simulation),
            {},
            body=body,
        )

    @flow
    def get_model_trial(self, simulation: object, trial: object, /) -> Flow[types.ModelTrial]:
        """Show a model trial: its state and its progress."""
        return self.document(
            types.ModelTrial,
            "GET",
            path_of("/api/v1/simulations/{}/model-trials/{}", simulation, trial),
            {},
        )

    @flow
    def delete_model_trial(self, simulation: object, trial: object, /) -> Flow[None]:
        """Delete a model trial; if it is in progress, it stops."""
        return self.document(
            None,
            "DELETE",
            path_of("/api/v1/simulations/{}/model-trials/{}", simulation, trial),
            {},
        )

    def list_model_trial_answers(
        self,
        simulation: object,
        trial: object,
        /,
        *,
        is_equal: bool | None = None,
        order: Literal["tick", "-tick"] | None = None,
        search: str | None = None,
        task: str | None = None,
        limit: int | None = None,
    ) -> Rows[M, types.TrialAnswer]:
        """List the answers of the other model, in the order of tick, agent, call."""
        return Rows(
            self,
            types.TrialAnswer,
            path_of("/api/v1/simulations/{}/model-trials/{}/answers", simulation, trial),
            {"is_equal": is_equal, "order": order, "search": search, "task": task},
            limit,
        )

    @flow
    def cancel_model_trial(
        self, simulation: object, trial: object, /, **body: Unpack[types.ReasonToStopRequest]
    ) -> Flow[types.ModelTrial]:
        """End a model trial before its end."""
        return self.document(
            types.ModelTrial,
            "POST",
            path_of("/api/v1/simulations/{}/model-trials/{}/cancel", simulation, trial),
            {},
            body=body,
        )

    @flow
    def pause_model_trial(
        self, simulation: object, trial: object, /, **body: Unpack[types.ReasonToStopRequest]
    ) -> Flow[types.ModelTrial]:
        """Pause a model trial until a user resumes it."""
        return self.document(
            types.ModelTrial,
            "POST",
            path_of("/api/v1/simulations/{}/model-trials/{}/pause", simulation, trial),
            {},
            body=body,
        )

    @flow
    def resume_model_trial(
        self, simulation: object, trial: object, /, **body: Unpack[types.TrialLimitsRequest]
    ) -> Flow[types.ModelTrial]:
        """Let a model trial go on that is paused or has failed."""
        return self.document(
            types.ModelTrial,
            "POST",
            path_of("/api/v1/simulations/{}/model-trials/{}/resume", simulation, trial),
            {},
            body=body,
        )

    @flow
    def estimate_model_trial(
        self, simulation: object, /, **body: Unpack[types.TrialRequestRequest]
    ) -> Flow[types.TrialEstimate]:
        """Estimate the cost of a model trial without asking anything."""
        return self.document(
            types.TrialEstimate,
            "POST",
            path_of("/api/v1/simulations/{}/model-trials/estimate", simulation),
            {},
            body=body,
        )

    def list_news_searches(
        self,
        simulation: object,
        /,
        *,
        order: Literal["recorded_at", "-recorded_at"] | None = None,
        search: str | None = None,
        limit: int | None = None,
    ) -> Rows[M, types.NewsSearch]:
        """List the news searchs, by default the latest first."""
        return Rows(
            self,
            types.NewsSearch,
            path_of("/api/v1/simulations/{}/news-searches", simulation),
            {"order": order, "search": search},
            limit,
        )

    @flow
    def request_news_search(
        self, simulation: object, /, **body: Unpack[types.RequestedNewsSearchRequest]
    ) -> Flow[types.NewsSearch]:
        """Search who knows a piece of news, by the meaning of memories; workers ask the model."""
        return self.document(
            types.NewsSearch,
            "POST",
            path_of("/api/v1/simulations/{}/news-searches", simulation),
            {},
            body=body,
        )

    @flow
    def get_news_search(self, simulation: object, search: object, /) -> Flow[types.NewsSearch]:
        """Show a news search: its state and its progress."""
        return self.document(
            types.NewsSearch,
            "GET",
            path_of("/api/v1/simulations/{}/news-searches/{}", simulation, search),
            {},
        )

    @flow
    def delete_news_search(self, simulation: object, search: object, /) -> Flow[None]:
        """Delete a news search; if it is in progress, it stops."""
        return self.document(
            None,
            "DELETE",
            path_of("/api/v1/simulations/{}/news-searches/{}", simulation, search),
            {},
        )

    @flow
    def cancel_news_search(
        self, simulation: object, search: object, /, **body: Unpack[types.ReasonToStopRequest]
    ) -> Flow[types.NewsSearch]:
        """End a news search before its end."""
        return self.document(
            types.NewsSearch,
            "POST",
            path_of("/api/v1/simulations/{}/news-searches/{}/cancel", simulation, search),
            {},
            body=body,
        )

    @flow
    def get_verified_diffusion(
        self, simulation: object, search: object, /
    ) -> Flow[types.DiffusionReport]:
        """Show who knows the news of a finished search, and by which memories and events."""
        return self.document(
            types.DiffusionReport,
            "GET",
            path_of("/api/v1/simulations/{}/news-searches/{}/diffusion", simulation, search),
            {},
        )

    @flow
    def pause_news_search(
        self, simulation: object, search: object, /, **body: Unpack[types.ReasonToStopRequest]
    ) -> Flow[types.NewsSearch]:
        """Pause a news search until a user resumes it."""
        return self.document(
            types.NewsSearch,
            "POST",
            path_of("/api/v1/simulations/{}/news-searches/{}/pause", simulation, search),
            {},
            body=body,
        )

    @flow
    def resume_news_search(
        self, simulation: object, search: object, /, **body: Unpack[types.TokenLimitRequest]
    ) -> Flow[types.NewsSearch]:
        """Let a news search go on that is paused or has failed."""
        return self.document(
            types.NewsSearch,
            "POST",
            path_of("/api/v1/simulations/{}/news-searches/{}/resume", simulation, search),
            {},
            body=body,
        )

    @flow
    def estimate_news_search(
        self, simulation: object, /, **body: Unpack[types.RequestedNewsSearchRequest]
    ) -> Flow[types.NewsSearchEstimate]:
        """Estimate the cost of a news search without asking anything."""
        return self.document(
            types.NewsSearchEstimate,
            "POST",
            path_of("/api/v1/simulations/{}/news-searches/estimate", simulation),
            {},
            body=body,
        )

    @flow
    def set_object_state(
        self, simulation: object, /, **body: Unpack[types.NewStateRequest]
    ) -> Flow[types.CommandStatus]:
        """Set an object's state; agents near it notice at the next moment."""
        return self.document(
            types.CommandStatus,
            "POST",
            path_of("/api/v1/simulations/{}/objects/state", simulation),
            {},
            body=body,
        )

    @flow
    def pause_simulation(
        self, simulation: object, /, **body: Unpack[types.PauseRequest]
    ) -> Flow[types.Simulation]:
        """Pause a simulation; it is `pausing` until all agents are at the same tick."""
        return self.document(
            types.Simulation,
            "POST",
            path_of("/api/v1/simulations/{}/pause", simulation),
            {},
            body=body,
        )

    def list_plots(
        self,
        simulation: object,
        /,
        *,
        order: Literal["name", "-name"] | None = None,
        search: str | None = None,
        limit: int | None = None,
    ) -> Rows[M, types.PlotSummary]:
        """List the plots that there are of every simulation, by name."""
        return Rows(
            self,
            types.PlotSummary,
            path_of("/api/v1/simulations/{}/plots", simulation),
            {"order": order, "search": search},
            limit,
        )

    @flow
    def get_plot(
        self,
        simulation: object,
        plot: object,
        /,
        *,
        about: Sequence[str] | None = None,
        asks: Sequence[str] | None = None,
        at: types.Moment | None = None,
        topic: Sequence[str] | None = None,
        save_as: str | PathLike[str] | None = None,
    ) -> Flow[bytes]:
        """Draw a plot as SVG, as of the committed tick or of `at`."""
        return self.content(
            path_of("/api/v1/simulations/{}/plots/{}.svg", simulation, plot),
            {"about": about, "asks": asks, "at": at, "topic": topic},
            save_as,
        )

    @flow
    def get_quality(
        self,
        simulation: object,
        /,
        *,
        at: types.Moment | None = None,
        by_day: bool | None = None,
    ) -> Flow[types.QualityReport]:
        """Count the quality of a run without a model, by default as of now."""
        return self.document(
            types.QualityReport,
            "GET",
            path_of("/api/v1/simulations/{}/quality", simulation),
            {"at": at, "by_day": by_day},
        )

    @flow
    def get_quality_badge(
        self,
        simulation: object,
        /,
        *,
        at: types.Moment | None = None,
        save_as: str | PathLike[str] | None = None,
    ) -> Flow[bytes]:
        """Draw how many of the made checks the latest whole day has passed, as an SVG image."""
        return self.content(
            path_of("/api/v1/simulations/{}/quality/badge.svg", simulation), {"at": at}, save_as
        )

    @flow
    def record_simulation(
        self,
        simulation: object,
        /,
        *,
        from_: types.Moment,
        to: types.Moment | None = None,
        save_as: str | PathLike[str] | None = None,
    ) -> Flow[bytes]:
        """Download a part of the simulation as a page that plays it without a server."""
        return self.content(
            path_of("/api/v1/simulations/{}/recording", simulation),
            {"from": from_, "to": to},
            save_as,
        )

    def list_relationships(
        self,
        simulation: object,
        /,
        *,
        agent: str | None = None,
        at: types.Moment | None = None,
        order: Literal["agent", "-agent"] | None = None,
        search: str | None = None,
        limit: int | None = None,
    ) -> Rows[M, types.Relationship]:
        """List relationships by the slugs of both agents, with the density of each kind."""
        return Rows(
            self,
            types.Relationship,
            path_of("/api/v1/simulations/{}/relationships", simulation),
            {"agent": agent, "at": at, "order": order, "search": search},
            limit,
        )

    def list_replays(
        self,
        simulation: object,
        /,
        *,
        order: Literal["recorded_at", "-recorded_at"] | None = None,
        search: str | None = None,
        limit: int | None = None,
    ) -> Rows[M, types.Replay]:
        """List the replays, by default the latest first."""
        return Rows(
            self,
            types.Replay,
            path_of("/api/v1/simulations/{}/replays", simulation),
            {"order": order, "search": search},
            limit,
        )

    @flow
    def replay_simulation(
        self, simulation: object, /, **body: Unpack[types.ReplayRequestRequest]
    ) -> Flow[types.Replay]:
        """Take the turns of a history again from recorded answers, and compare their events."""
        return self.document(
            types.Replay,
            "POST",
            path_of("/api/v1/simulations/{}/replays", simulation),
            {},
            body=body,
        )

    @flow
    def get_replay(self, simulation: object, replay: object, /) -> Flow[types.Replay]:
        """Show a replay: its state and its progress."""
        return self.document(
            types.Replay,
            "GET",
            path_of("/api/v1/simulations/{}/replays/{}", simulation, replay),
            {},
        )

    @flow
    def delete_replay(self, simulation: object, replay: object, /) -> Flow[None]:
        """Delete a replay; if it is in progress, it stops."""
        return self.document(
            None, "DELETE", path_of("/api/v1/simulations/{}/replays/{}", simulation, replay), {}
        )

    @flow
    def cancel_replay(
        self, simulation: object, replay: object, /, **body: Unpack[types.ReasonToStopRequest]
    ) -> Flow[types.Replay]:
        """End a replay before its end."""
        return self.document(
            types.Replay,
            "POST",
            path_of("/api/v1/simulations/{}/replays/{}/cancel", simulation, replay),
            {},
            body=body,
        )

    @flow
    def pause_replay(
        self, simulation: object, replay: object, /, **body: Unpack[types.ReasonToStopRequest]
    ) -> Flow[types.Replay]:
        """Pause a replay until a user resumes it."""
        return self.document(
            types.Replay,
            "POST",
            path_of("/api/v1/simulations/{}/replays/{}/pause", simulation, replay),
            {},
            body=body,
        )

    @flow
    def resume_replay(
        self, simulation: object, replay: object, /, **body: Unpack[types.ResumptionRequest]
    ) -> Flow[types.Replay]:
        """Let a replay go on that is paused or has failed."""
        return self.document(
            types.Replay,
            "POST",
            path_of("/api/v1/simulations/{}/replays/{}/resume", simulation, replay),
            {},
            body=body,
        )

    @flow
    def estimate_replay(
        self, simulation: object, /, **body: Unpack[types.ReplayRequestRequest]
    ) -> Flow[types.ReplayEstimate]:
        """Estimate the cost of a replay without asking anything."""
        return self.document(
            types.ReplayEstimate,
            "POST",
            path_of("/api/v1/simulations/{}/replays/estimate", simulation),
            {},
            body=body,
        )

    @flow
    def get_routines(
        self,
        simulation: object,
        /,
        *,
        at: types.Moment | None = None,
        days: int | None = None,
        other: str | None = None,
    ) -> Flow[types.RoutineReport]:
        """Show where agents spend their time, and how far that differs from another run."""
        return self.document(
            types.RoutineReport,
            "GET",
            path_of("/api/v1/simulations/{}/routines", simulation),
            {"at": at, "days": days, "other": other},
        )

    @flow
    def run_simulation(
        self, simulation: object, /, **body: Unpack[types.RunRequest]
    ) -> Flow[types.Simulation]:
        """Run a simulation: to a game time, for a number of ticks, or without end."""
        return self.document(
            types.Simulation,
            "POST",
            path_of("/api/v1/simulations/{}/run", simulation),
            {},
            body=body,
        )

    @flow
    def get_settings(self, simulation: object, /) -> Flow[types.FoundedOn]:
        """Show the settings that a simulation was created with."""
        return self.document(
            types.FoundedOn, "GET", path_of("/api/v1/simulations/{}/settings", simulation), {}
        )

    @flow
    def get_social_measures(
        self, simulation: object, /, *, at: types.Moment | None = None
    ) -> Flow[types.SocialReport]:
        """Measure the network, conversations, agreements and plans without a model."""
        return self.document(
            types.SocialReport,
            "GET",
            path_of("/api/v1/simulations/{}/social", simulation),
            {"at": at},
        )

    @flow
    def get_state(
        self, simulation: object, /, *, at: types.Moment | None = None
    ) -> Flow[types.State]:
        """Show everything that a front end draws, as of the committed tick or of `at`."""
        return self.document(
            types.State, "GET", path_of("/api/v1/simulations/{}/state", simulation), {"at": at}
        )

    def follow_events(
        self,
        simulation: object,
        /,
        *,
        after: str | None = None,
        agent: str | None = None,
        type: Sequence[str] | None = None,
        until: Literal["committed"] | None = None,
    ) -> Stream[M, Message]:
        """Follow the committed events as a resumable stream of Server-Sent Events."""
        return Stream(
            self,
            path_of("/api/v1/simulations/{}/stream", simulation),
            {"after": after, "agent": agent, "type": type, "until": until},
            lambda message: message,
        )

    def list_surveys(
        self,
        simulation: object,
        /,
        *,
        order: Literal["recorded_at", "-recorded_at"] | None = None,
        search: str | None = None,
        limit: int | None = None,
    ) -> Rows[M, types.Survey]:
        """List the surveys, by default the latest first."""
        return Rows(
            self,
            types.Survey,
            path_of("/api/v1/simulations/{}/surveys", simulation),
            {"order": order, "search": search},
            limit,
        )

    @flow
    def request_survey(
        self, simulation: object, /, **body: Unpack[types.RequestedSurveyRequest]
    ) -> Flow[types.Survey]:
        """Ask a questionnaire of agents at past moments; workers ask the model."""
        return self.document(
            types.Survey,
            "POST",
            path_of("/api/v1/simulations/{}/surveys", simulation),
            {},
            body=body,
        )

    @flow
    def get_survey(self, simulation: object, survey: object, /) -> Flow[types.Survey]:
        """Show a survey: its state and its progress."""
        return self.document(
            types.Survey,
            "GET",
            path_of("/api/v1/simulations/{}/surveys/{}", simulation, survey),
            {},
        )

    @flow
    def delete_survey(self, simulation: object, survey: object, /) -> Flow[None]:
        """Delete a survey; if it is in progress, it stops."""
        return self.document(
            None, "DELETE", path_of("/api/v1/simulations/{}/surveys/{}", simulation, survey), {}
        )

    @flow
    def cancel_survey(
        self, simulation: object, survey: object, /, **body: Unpack[types.ReasonToStopRequest]
    ) -> Flow[types.Survey]:
        """End a survey before its end."""
        return self.document(
            types.Survey,
            "POST",
            path_of("/api/v1/simulations/{}/surveys/{}/cancel", simulation, survey),
            {},
            body=body,
        )

    @flow
    def check_claims(
        self, simulation: object, survey: object, /, **body: Unpack[types.ClaimedNewsRequest]
    ) -> Flow[types.ClaimReport]:
        """Compare what agents claim to know with their memories at the time of the question."""
        return self.document(
            types.ClaimReport,
            "POST",
            path_of("/api/v1/simulations/{}/surveys/{}/claims", simulation, survey),
            {},
            body=body,
        )

    def list_survey_interviews(
        self,
        simulation: object,
        survey: object,
        /,
        *,
        agent: str | None = None,
        conditions: str | None = None,
        order: Literal["number", "-number"] | None = None,
        question: str | None = None,
        search: str | None = None,
        state: Literal["pending", "running", "paused", "done", "failed", "cancelled"]
        | None = None,
        limit: int | None = None,
    ) -> Rows[M, types.SurveyInterview]:
        """List the interviews of a survey, answered or not, in the order of asking."""
        return Rows(
            self,
            types.SurveyInterview,
            path_of("/api/v1/simulations/{}/surveys/{}/interviews", simulation, survey),
            {
                "agent": agent,
                "conditions": conditions,
                "order": order,
                "question": question,
                "search": search,
                "state": state,
            },
            limit,
        )

    @flow
    def pause_survey(
        self, simulation: object, survey: object, /, **body: Unpack[types.ReasonToStopRequest]
    ) -> Flow[types.Survey]:
        """Pause a survey until a user resumes it."""
        return self.document(
            types.Survey,
            "POST",
            path_of("/api/v1/simulations/{}/surveys/{}/pause", simulation, survey),
            {},
            body=body,
        )

    def list_rankings(
        self,
        simulation: object,
        survey: object,
        /,
        *,
        order: Literal["recorded_at", "-recorded_at"] | None = None,
        search: str | None = None,
        limit: int | None = None,
    ) -> Rows[M, types.ConditionRanking]:
        """List the rankings, by default the latest first."""
        return Rows(
            self,
            types.ConditionRanking,
            path_of("/api/v1/simulations/{}/surveys/{}/rankings", simulation, survey),
            {"order": order, "search": search},
            limit,
        )

    @flow
    def request_ranking(
        self,
        simulation: object,
        survey: object,
        /,
        **body: Unpack[types.RequestedRankingRequest],
    ) -> Flow[types.ConditionRanking]:
        """Rank the answers of a finished survey by condition, blind and in random order."""
        return self.document(
            types.ConditionRanking,
            "POST",
            path_of("/api/v1/simulations/{}/surveys/{}/rankings", simulation, survey),
            {},
            body=body,
        )

    @flow
    def get_ranking(
        self, simulation: object, survey: object, ranking: object, /
    ) -> Flow[types.ConditionRanking]:
        """Show a ranking: its state and its progress."""
        return self.document(
            types.ConditionRanking,
            "GET",
            path_of(
                "/api/v1/simulations/{}/surveys/{}/rankings/{}", simulation, survey, ranking
            ),
            {},
        )

    @flow
    def delete_ranking(
        self, simulation: object, survey: object, ranking: object, /
    ) -> Flow[None]:
        """Delete a ranking; if it is in progress, it stops."""
        return self.document(
            None,
            "DELETE",
            path_of(
                "/api/v1/simulations/{}/surveys/{}/rankings/{}", simulation, survey, ranking
            ),
            {},
        )

    @flow
    def cancel_ranking(
        self,
        simulation: object,
        survey: object,
        ranking: object,
        /,
        **body: Unpack[types.ReasonToStopRequest],
    ) -> Flow[types.ConditionRanking]:
        """End a ranking before its end."""
        return self.document(
            types.ConditionRanking,
            "POST",
            path_of(
                "/api/v1/simulations/{}/surveys/{}/rankings/{}/cancel",
                simulation,
                survey,
                ranking,
            ),
            {},
            body=body,
        )

    def list_judgements(
        self,
        simulation: object,
        survey: object,
        ranking: object,
        /,
        *,
        order: Literal["recorded_at", "-recorded_at"] | None = None,
        search: str | None = None,
        limit: int | None = None,
    ) -> Rows[M, types.Judgement]:
        """List the judgements of a ranking, which are no longer blind."""
        return Rows(
            self,
            types.Judgement,
            path_of(
                "/api/v1/simulations/{}/surveys/{}/rankings/{}/judgements",
                simulation,
                survey,
                ranking,
            ),
            {"order": order, "search": search},
            limit,
        )

    @flow
    def get_next_ranking_task(
        self, simulation: object, survey: object, ranking: object, /
    ) -> Flow[types.NextRankingTask]:
        """Show the first task that you have not ranked, and your progress."""
        return self.document(
            types.NextRankingTask,
            "GET",
            path_of(
                "/api/v1/simulations/{}/surveys/{}/rankings/{}/next-task",
                simulation,
                survey,
                ranking,
            ),
            {},
        )

    @flow
    def pause_ranking(
        self,
        simulation: object,
        survey: object,
        ranking: object,
        /,
        **body: Unpack[types.ReasonToStopRequest],
    ) -> Flow[types.ConditionRanking]:
        """Pause a ranking until a user resumes it."""
        return self.document(
            types.ConditionRanking,
            "POST",
            path_of(
                "/api/v1/simulations/{}/surveys/{}/rankings/{}/pause",
                simulation,
                survey,
                ranking,
            ),
            {},
            body=body,
        )

    @flow
    def get_ranking_figure(
        self,
        simulation: object,
        survey: object,
        ranking: object,
        /,
        *,
        save_as: str | PathLike[str] | None = None,
    ) -> Flow[bytes]:
        """Draw the ratings of the conditions as SVG; the report as Markdown links to it."""
        return self.content(
            path_of(
                "/api/v1/simulations/{}/surveys/{}/rankings/{}/ratings.svg",
                simulation,
                survey,
                ranking,
            ),
            {},
            save_as,
        )

    @flow
    def get_ranking_report(
        self,
        simulation: object,
        survey: object,
        ranking: object,
        /,
        *,
        table: Literal["conditions", "pairs"] | None = None,
    ) -> Flow[types.RankingReportShown]:
        """Show the ratings of the conditions, their tests and effect sizes."""
        return self.document(
            types.RankingReportShown,
            "GET",
            path_of(
                "/api/v1/simulations/{}/surveys/{}/rankings/{}/report",
                simulation,
                survey,
                ranking,
            ),
            {"table": table},
        )

    @flow
    def get_ranking_report_file(
        self,
        simulation: object,
        survey: object,
        ranking: object,
        /,
        *,
        format: Literal["json", "csv", "svg", "html", "markdown"] | None = None,
        table: Literal["conditions", "pairs"] | None = None,
        save_as: str | PathLike[str] | None = None,
    ) -> Flow[bytes]:
        """Show the ratings of the conditions, their tests and effect sizes."""
        return self.content(
            path_of(
                "/api/v1/simulations/{}/surveys/{}/rankings/{}/report",
                simulation,
                survey,
                ranking,
            ),
            {"format": format, "table": table},
            save_as,
        )

    @flow
    def resume_ranking(
        self,
        simulation: object,
        survey: object,
        ranking: object,
        /,
        **body: Unpack[types.TokenLimitRequest],
    ) -> Flow[types.ConditionRanking]:
        """Let a ranking go on that is paused or has failed."""
        return self.document(
            types.ConditionRanking,
            "POST",
            path_of(
                "/api/v1/simulations/{}/surveys/{}/rankings/{}/resume",
                simulation,
                survey,
                ranking,
            ),
            {},
            body=body,
        )

    def list_ranking_tasks(
        self,
        simulation: object,
        survey: object,
        ranking: object,
        /,
        *,
        is_ranked: bool | None = None,
        order: Literal["number", "-number"] | None = None,
        search: str | None = None,
        limit: int | None = None,
    ) -> Rows[M, types.RankingTask]:
        """List what there is to rank: questions in random order, answers without conditions."""
        return Rows(
            self,
            types.RankingTask,
            path_of(
                "/api/v1/simulations/{}/surveys/{}/rankings/{}/tasks",
                simulation,
                survey,
                ranking,
            ),
            {"is_ranked": is_ranked, "order": order, "search": search},
            limit,
        )

    @flow
    def submit_ranks(
        self,
        simulation: object,
        survey: object,
        ranking: object,
        task: object,
        /,
        **body: Unpack[types.SubmittedRanksRequest],
    ) -> Flow[types.RankingTask]:
        """Submit your ranks of the answers of a task; later ones replace them."""
        return self.document(
            types.RankingTask,
            "POST",
            path_of(
                "/api/v1/simulations/{}/surveys/{}/rankings/{}/tasks/{}/judgement",
                simulation,
                survey,
                ranking,
                task,
            ),
            {},
            body=body,
        )

    @flow
    def estimate_ranking(
        self,
        simulation: object,
        survey: object,
        /,
        **body: Unpack[types.RequestedRankingRequest],
    ) -> Flow[types.RankingEstimate]:
        """Estimate the cost of a ranking without asking anything."""
        return self.document(
            types.RankingEstimate,
            "POST",
            path_of("/api/v1/simulations/{}/surveys/{}/rankings/estimate", simulation, survey),
            {},
            body=body,
        )

    @flow
    def resume_survey(
        self, simulation: object, survey: object, /, **body: Unpack[types.TokenLimitRequest]
    ) -> Flow[types.Survey]:
        """Let a survey go on that is paused or has failed."""
        return self.document(
            types.Survey,
            "POST",
            path_of("/api/v1/simulations/{}/surveys/{}/resume", simulation, survey),
            {},
            body=body,
        )

    def list_written_answers(
        self,
        simulation: object,
        survey: object,
        /,
        *,
        order: Literal["recorded_at", "-recorded_at"] | None = None,
        search: str | None = None,
        limit: int | None = None,
    ) -> Rows[M, types.WrittenAnswer]:
        """List the answers that people have written in the voices of agents."""
        return Rows(
            self,
            types.WrittenAnswer,
            path_of("/api/v1/simulations/{}/surveys/{}/written-answers", simulation, survey),
            {"order": order, "search": search},
            limit,
        )

    @flow
    def write_answers(
        self, simulation: object, survey: object, /, **body: Unpack[types.WriterAnswersRequest]
    ) -> Flow[types.RecordedWrittenAnswers]:
        """Submit human answers to questions of a survey, all or none."""
        return self.document(
            types.RecordedWrittenAnswers,
            "POST",
            path_of("/api/v1/simulations/{}/surveys/{}/written-answers", simulation, survey),
            {},
            body=body,
        )

    @flow
    def estimate_survey(
        self, simulation: object, /, **body: Unpack[types.RequestedSurveyRequest]
    ) -> Flow[types.SurveyEstimate]:
        """Estimate the cost of a survey without asking anything."""
        return self.document(
            types.SurveyEstimate,
            "POST",
            path_of("/api/v1/simulations/{}/surveys/estimate", simulation),
            {},
            body=body,
        )

    def list_utterances(
        self,
        simulation: object,
        /,
        *,
        agent: str | None = None,
        at: types.Moment | None = None,
        conversation: str | None = None,
        from_: types.Moment | None = None,
        order: Literal["tick", "-tick"] | None = None,
        search: str | None = None,
        to: types.Moment | None = None,
        limit: int | None = None,
    ) -> Rows[M, types.UtteranceRecord]:
        """List the utterances of all conversations, in the order of tick and speaker."""
        return Rows(
            self,
            types.UtteranceRecord,
            path_of("/api/v1/simulations/{}/utterances", simulation),
            {
                "agent": agent,
                "at": at,
                "conversation": conversation,
                "from": from_,
                "order": order,
                "search": search,
                "to": to,
            },
            limit,
        )

    @flow
    def visit(
        self, simulation: object, /, **body: Unpack[types.VisitRequest]
    ) -> Flow[types.Begun]:
        """Enter a simulation as a visitor; the name of an earlier one means the same."""
        return self.document(
            types.Begun,
            "POST",
            path_of("/api/v1/simulations/{}/visitors", simulation),
            {},
            body=body,
        )

    @flow
    def get_world(
        self, simulation: object, /, *, at: types.Moment | None = None
    ) -> Flow[types.WorldNode]:
        """Show the world as a tree: places, areas, objects, with their norms."""
        return self.document(
            types.WorldNode,
            "GET",
            path_of("/api/v1/simulations/{}/world", simulation),
            {"at": at},
        )

    @flow
    def get_map_image(
        self, simulation: object, file: object, /, *, save_as: str | PathLike[str] | None = None
    ) -> Flow[bytes]:
        """Return an image that the map is painted with."""
        return self.content(
            path_of("/api/v1/simulations/{}/world/assets/{}", simulation, file), {}, save_as
        )

    @flow
    def get_map(self, simulation: object, /) -> Flow[dict[str, Any]]:
        """Show the map in the format of the Tiled editor; images are relative addresses."""
        return self.document(
            dict[str, Any], "GET", path_of("/api/v1/simulations/{}/world/map", simulation), {}
        )

    def list_verifiers(
        self,
        /,
        *,
        order: Literal["name", "-name"] | None = None,
        search: str | None = None,
        limit: int | None = None,
    ) -> Rows[M, types.RegisteredFunction]:
        """List the functions that can verify news in place of a model."""
        return Rows(
            self,
            types.RegisteredFunction,
            "/api/v1/verifiers",
            {"order": order, "search": search},
            limit,
        )

    def list_worlds(
        self,
        /,
        *,
        order: Literal["name", "-name"] | None = None,
        search: str | None = None,
        limit: int | None = None,
    ) -> Rows[M, types.WorldSummary]:
        """List the worlds that simulations can be created in, by name."""
        return Rows(
            self,
            types.WorldSummary,
            "/api/v1/worlds",
            {"order": order, "search": search},
            limit,
        )

    @flow
    def get_health(self, /) -> Flow[types.HealthReport]:
        """Show the health of web, database, worker and scheduler, at most one second old."""
        return self.document(types.HealthReport, "GET", "/health", {})

    @flow
    def get_metrics(self, /, *, save_as: str | PathLike[str] | None = None) -> Flow[bytes]:
        """Show metrics for Prometheus, in its text format or OpenMetrics."""
        return self.content("/metrics", {}, save_as)
