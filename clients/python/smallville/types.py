"""The documents that the service answers with, and those that it takes.

Made from the OpenAPI document by `make client`; do not edit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, Required, TypeAlias, TypedDict

from smallville.records import Record

Moment: TypeAlias = str | int | datetime
"""A game time such as 2023-02-13T06:55:00, or a tick."""

Acquaintance: TypeAlias = Literal["remembered", "sighted", "met", "talked", "related"]


AcrossRooms: TypeAlias = Literal["nothing", "dangers", "arrivals"]


ActKind: TypeAlias = Literal[
    "none",
    "talk to",
    "phone",
    "look for",
    "wait for",
    "follow",
    "tell those present",
    "give",
    "leave",
    "together with",
]


class ActionAsked(Record):
    """A requested action and its outcome."""

    event: str
    kind: ActionKind
    asked: dict[str, Any]
    effective_at: str
    effective_tick: int
    outcome: ActionOutcome
    code: str
    why: str


ActionKind: TypeAlias = Literal["move", "say", "act", "with_agent", "open"]


ActionOutcome: TypeAlias = Literal["open", "begun", "done", "refused"]


class ActionRequestRequest(TypedDict, total=False):
    """An action of the embodied agent: one of the five."""

    move: Move | None
    say: Say | None
    act: Use | None
    with_agent: WithAgent | None
    open: Open | None
    at: Moment | None
    reason: str


class Agent(Record):
    """An agent in a list."""

    slug: str
    name: str
    age: int
    traits: list[str]
    home: str
    workplace: str | None
    position: Position | None
    action: str
    emoji: str
    asleep: bool


class AgentDetail(Record):
    """An agent with its description and its current action."""

    slug: str
    name: str
    age: int
    traits: list[str]
    home: str
    workplace: str | None
    position: Position | None
    action: str
    emoji: str
    asleep: bool
    bed: str
    description: str
    hours: DayHours
    clock: Clock
    current_action: CurrentAction | None


class AgentDifference(Record):
    """An agent whose history differs, with the chain from its first difference back."""

    one: ComparedAgent
    other: ComparedAgent
    only_one: OnlyThere
    only_other: OnlyThere
    agent: str
    chain: list[CausalLink]


class AgentInView(Record):
    """An agent in view of the embodied agent."""

    slug: str
    name: str
    doing: str
    distance: int
    talking_with: str | None


class AgentList(Record):
    """A page of results; `next` is the address of the next one."""

    results: list[Agent]
    next: str | None


class AgentMemory(Record):
    """A memory, with its agent."""

    id: int
    kind: MemoryKind
    description: str
    importance: int
    evidence: list[int]
    subject: str
    created_at: str
    created_tick: int
    last_retrieved_at: str | None
    last_retrieved_tick: int | None
    rated: bool
    times: int
    last_repeated_at: str | None
    last_repeated_tick: int | None
    origin: str
    passing_on: str
    agent: str


class AgentMemoryList(Record):
    """A page of results; `next` is the address of the next one."""

    results: list[AgentMemory]
    next: str | None


class AgentRoutine(Record):
    """The places of an agent in a stretch of time."""

    divergence: float | None
    agent: str
    shares: dict[str, float]
    places_per_day: float
    radius: float


class AnswerForm(TypedDict, total=False):
    """The form of an answer; the members depend on the kind."""

    kind: AnswerKind
    options: Sequence[str]
    minimum: int | None
    maximum: int | None
    low: str
    high: str
    unit: str


AnswerKind: TypeAlias = Literal["open", "choice", "scale", "number"]


class AnsweringModelOf(Record):
    """A model that answered calls of turns, as its server named it; reused answers count."""

    served_model: str | None
    system_fingerprint: str | None
    server_version: str | None
    first_at: str
    first_tick: int
    last_at: str
    last_tick: int
    server: str
    model: str
    calls: int


class ArguedMeasure(TypedDict, total=False):
    """A measure with arguments: an object with one member."""

    diffusion: NewsMeasure | None
    attendance: Gathering | None
    survey: SurveyMeasure | None


class AskedEmbedding(TypedDict, total=False):
    """Another embedding model; what is left out is as in the simulation."""

    embedding_server: str | None
    embedding_model: str | None
    embedding_dimensions: int | None


class AskedWeights(TypedDict, total=False):
    """The weights of the parts; those left out are the simulation's."""

    recency: float | None
    importance: float | None
    relevance: float | None


class AttendanceReport(Record):
    """The guests of a gathering at a place in the ticks [from_tick, to_tick), by slug."""

    from_: Clock
    to: Clock
    came_knowing: int
    unverified: list[str]
    place: str
    hosts: list[str]
    guests: list[GatheringGuest]
    knew: int
    accepted: int
    came: int


class Begun(Record):
    """The command that begins an embodiment."""

    command: str
    status_url: str
    kind: CommandKind
    agent: str
    asked: dict[str, Any]
    state: CommandState
    by: str
    reason: str
    effective_at: str | None
    effective_tick: int | None
    refusal: str
    requested_at: str | None
    requested_tick: int | None
    recorded_at: str
    id: int


class BlindAnswer(Record):
    """An answer without its condition."""

    letter: str
    answer: str


class Branch(Record):
    """A branch of the simulation."""

    id: str
    name: str
    forked_at: Clock
    clock: Clock
    status: SimulationStatus
    recorded_at: str


class BranchIntervention(TypedDict, total=False):
    """A command that a branch begins with; it takes effect as soon as possible."""

    kind: Required[BranchInterventionKind]
    agent: str
    object: str
    text: str
    alarming: bool | None
    reason: str


BranchInterventionKind: TypeAlias = Literal[
    "inner-voice", "observation", "set-object-state", "send-away"
]


class BranchList(Record):
    """A page of results; `next` is the address of the next one."""

    results: list[Branch]
    next: str | None


class Budget(TypedDict, total=False):
    """The tokens and the money that may be used; null for any amount."""

    tokens: int | None
    money: float | None


class BudgetOf(Record):
    """The tokens and the money that a simulation may use."""

    tokens: int | None
    money: float | None


class Call(Record):
    """A model call in a list."""

    id: str
    tick: int
    time: str
    stream: str
    task: str
    wording_version: str
    server: str
    model: str
    outcome: ModelCallOutcome
    fallback: str | None
    prompt_tokens: int
    completion_tokens: int
    latency_ms: int
    cost: float
    served_model: str | None
    system_fingerprint: str | None
    server_version: str | None
    recorded_at: str
    cached_prompt_tokens: int
    billed_equivalent_tokens: int
    purpose: ModelCallPurpose


class CallBehind(Record):
    """A model call with its prompt and its raw answers, and the event that it is behind."""

    id: str
    tick: int
    time: str
    stream: str
    task: str
    wording_version: str
    server: str
    model: str
    outcome: ModelCallOutcome
    fallback: str | None
    prompt_tokens: int
    completion_tokens: int
    latency_ms: int
    cost: float
    served_model: str | None
    system_fingerprint: str | None
    server_version: str | None
    recorded_at: str
    cached_prompt_tokens: int
    billed_equivalent_tokens: int
    purpose: ModelCallPurpose
    messages: list[dict[str, Any]]
    attempts: list[dict[str, Any]]
    answer: dict[str, Any]
    differences: list[Difference]
    for_: str


class CallInFull(Record):
    """A model call with its messages, all attempts, and the answer."""

    id: str
    tick: int
    time: str
    stream: str
    task: str
    wording_version: str
    server: str
    model: str
    outcome: ModelCallOutcome
    fallback: str | None
    prompt_tokens: int
    completion_tokens: int
    latency_ms: int
    cost: float
    served_model: str | None
    system_fingerprint: str | None
    server_version: str | None
    recorded_at: str
    cached_prompt_tokens: int
    billed_equivalent_tokens: int
    purpose: ModelCallPurpose
    messages: list[dict[str, Any]]
    attempts: list[dict[str, Any]]
    answer: dict[str, Any]
    differences: list[Difference]


class CallList(Record):
    """A page of results; `next` is the address of the next one."""

    results: list[Call]
    next: str | None


class CallsOfBranch(Record):
    """The model calls of the branch after the fork."""

    paid: int
    reused: int
    same: int | None
    tokens: int
    cost: float


CapabilityWorks: TypeAlias = Literal["yes", "no", "not known"]


class CategoryRank(Record):
    """The mean rank of a condition for the questions of a category."""

    category: str
    condition: str
    mean_rank: float


class CausalLink(Record):
    """The first difference of a stream, and the text by which its turn names the next stream."""

    event: str
    clock: Clock
    one: ComparedEvent | None
    other: ComparedEvent | None
    named: str | None


class CheckedCapability(Record):
    """Whether one capability works, and what to change if not."""

    fix: str | None
    capability: ModelCapability
    works: CapabilityWorks
    told: str


class ClaimReport(Record):
    """The claims of the answers to one question of a survey."""

    counts: VerdictCounts
    unsupported_share: float | None
    claims: list[InterviewClaim]


ClaimVerdict: TypeAlias = Literal[
    "supported", "unsupported", "unaware", "forgotten", "no-value", "unverified"
]


class ClaimedNewsRequest(TypedDict, total=False):
    """A question of the survey, the options that claim to know the news, and the news."""

    search: str | None
    topic: Sequence[str]
    about: Sequence[str]
    asks: Sequence[str]
    question: Required[str]
    values: Required[Sequence[str]]


class Clock(Record):
    """A committed tick, and the game time at which it begins."""

    tick: int
    time: str


CommandKind: TypeAlias = Literal[
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


class CommandList(Record):
    """A page of results; `next` is the address of the next one."""

    results: list[CommandStatus]
    next: str | None


CommandState: TypeAlias = Literal["pending", "accepted", "done", "refused"]


class CommandStatus(Record):
    """A command and its outcome."""

    command: str
    status_url: str
    kind: CommandKind
    agent: str
    asked: dict[str, Any]
    state: CommandState
    by: str
    reason: str
    effective_at: str | None
    effective_tick: int | None
    refusal: str
    requested_at: str | None
    requested_tick: int | None
    recorded_at: str


class Commitment(Record):
    """An activity that an agent agreed to or declined."""

    agent: str
    declined: bool
    activity: str
    place: str
    day: str
    from_minute: int | None
    to_minute: int | None
    event: str


class CommitmentCounts(Record):
    """The outcomes of agreements; each side counts."""

    open: int
    kept: int
    alone: int
    missed: int
    dropped: int
    declined: int
    cancelled: int
    changed: int


class ComparedAgent(Record):
    """An agent at the end of a history, and what it has done since the common past."""

    doing: str | None
    area: str | None
    known_places: int
    memories: int
    conversations: int
    talked_with: list[str]


class ComparedDifference(Record):
    """The first event of a stream that differs; a version is null where there is no event."""

    event: str
    clock: Clock
    one: ComparedEvent | None
    other: ComparedEvent | None


class ComparedEvent(Record):
    """An event of one history."""

    data: dict[str, Any]
    cause: str | None
    type: str


class ComparedHour(Record):
    """A planned hour."""

    clock: Clock
    description: str
    place: str


class Comparison(Record):
    """Where two histories diverge, which agents differ and why, and both side by side."""

    until: Clock
    common_until: Clock | None
    measures: MeasuresSideBySide
    one: str
    other: str
    has_common_past: bool
    first_difference: ComparedDifference | None
    agents: list[AgentDifference]
    relationships: list[RelationshipDifference]
    knowing: KnowingAgents | None


CondensedMemories: TypeAlias = Literal["kept", "left out"]


class ConditionPair(Record):
    """Two conditions."""

    one: str
    other: str
    dunn_p: float | None
    nemenyi_p: float | None
    d: float
    won: float
    wins: float


class ConditionRanking(Record):
    """A ranking of the answers of a survey and its progress."""

    state: WorkState
    progress: RankingProgress
    waits_for: str | None
    waits_since: str | None
    problem: WorkProblem | None
    by: str
    reason: str
    recorded_at: str
    end_recorded_at: str | None
    tokens: int
    tokens_max: int | None
    id: str
    status_url: str
    judge: str
    seed: int
    conditions: list[str]
    left_out: int


class ConditionRankingList(Record):
    """A page of results; `next` is the address of the next one."""

    results: list[ConditionRanking]
    next: str | None


class ConditionSummary(Record):
    """A measure under one condition at a moment, over the seeds, against the baseline."""

    time: str
    world: str
    settings: str
    model: str
    intervention: str
    number: int
    tick: int
    measure: str
    runs: int
    mean: float | None
    standard_deviation: float | None
    low: float | None
    high: float | None
    is_baseline: bool
    pairs: int
    difference: float | None
    difference_low: float | None
    difference_high: float | None
    t_p: float | None
    wilcoxon_p: float | None
    reference: float | None


class ConditionSummaryList(Record):
    """A page of results; `next` is the address of the next one."""

    results: list[ConditionSummary]
    next: str | None


class ConsideredMemory(Record):
    """A memory that the verifier has read."""

    memory: int
    at: Clock
    description: str
    relevance: float


class Conversation(Record):
    """A conversation in progress: the slugs of its participants, and its last utterance."""

    last: LastWords
    id: str
    participants: list[str]


class ConversationMeasures(Record):
    """How much is said; a conversation counts if at least two agents speak in it."""

    utterances: RepetitionCounts
    conversations: int
    openings: int
    pairs: int
    utterances_per_conversation: float | None
    words_per_utterance: float | None


class CostEstimate(Record):
    """The estimated cost of a planned run."""

    ticks: int
    agent_days: float
    total: Estimated
    by_task: list[EstimatedOfTask]
    unmeasured: list[str]
    agent_count: int
    models: EstimatedModels
    figures: EstimateFigures


class CostOfGroup(Record):
    """The costs of a group of calls; failed ones count where tokens were paid."""

    calls: int
    prompt_tokens: int
    cached_prompt_tokens: int
    completion_tokens: int
    billed_equivalent_tokens: int
    cost: float
    key: str
    latency_ms: int


class CostTable(Record):
    """The costs of a simulation, now with calls of turns in progress."""

    total: CostOfGroup
    tokens: TokenNotes
    hours: PlannedHours
    by_task: list[CostOfGroup] | None
    by_model: list[CostOfGroup] | None
    by_agent: list[CostOfGroup] | None
    by_day: list[CostOfGroup] | None


class Counterfactual(Record):
    """A counterfactual: its progress, its cost, and what differs."""

    state: WorkState
    progress: Progress
    waits_for: str | None
    waits_since: str | None
    problem: WorkProblem | None
    by: str
    reason: str
    recorded_at: str
    end_recorded_at: str | None
    id: str
    status_url: str
    name: str
    forked_at: Clock
    until: Clock
    interventions: list[RequestedIntervention]
    simulation: RunOfOne
    branch: RunOfOne
    calls: CallsOfBranch
    comparison_url: str | None
    first_difference: str | None
    agents: list[DifferingAgent]


class CounterfactualEstimate(Record):
    """The calls that a branch will make, as far as the parent's log shows."""

    log_until: Clock
    new: Estimated
    reused: Estimated
    later: Estimated
    reuses_answers: bool
    agents: list[ReachedAgent]
    unreached: list[str]


class CounterfactualList(Record):
    """A page of results; `next` is the address of the next one."""

    results: list[Counterfactual]
    next: str | None


class CounterfactualRequestRequest(TypedDict, total=False):
    """The branch, and the moment up to which it is run and compared."""

    at: Required[Moment]
    name: Required[str]
    seed: int | None
    settings: SettingsIn | None
    model: str | ModelSpec | None
    budget: Budget | None
    interventions: Sequence[BranchIntervention]
    until: Required[Moment]
    reason: str


class CounterfactualToEstimateRequest(TypedDict, total=False):
    """The counterfactual to estimate."""

    at: Required[Moment]
    name: str
    seed: int | None
    settings: SettingsIn | None
    model: str | ModelSpec | None
    budget: Budget | None
    interventions: Sequence[BranchIntervention]
    until: Required[Moment]
    reason: str


class CurrentAction(Record):
    """The action of an agent; `description` continues the sentence "<name> is"."""

    description: str
    emoji: str
    area: str
    object: str
    towards: str
    asleep: bool
    plan_item: int | None
    event: str
    start_at: str
    start_tick: int
    due_at: str | None
    due_tick: int | None


class DayHours(Record):
    """Usual hours, "06:00"; a bed time before the waking hour is in the next day."""

    wake: str
    sleep: str
    dinner: str | None


class Densities(Record):
    """The shares of all pairs of agents in which both have the kind of acquaintance."""

    remembered: float
    sighted: float
    met: float
    talked: float
    related: float


class Difference(Record):
    """One value that was answered, and the value that is used in its place."""

    field: str
    answered: str
    used: str
    reason: str


class DifferingAgent(Record):
    """An agent whose history differs."""

    agent: str
    event: str
    clock: Clock
    through: list[str]


class DiffusingNewsRequest(TypedDict, total=False):
    """A piece of news, and the moment as of which it is measured."""

    search: str | None
    topic: Sequence[str]
    about: Sequence[str]
    asks: Sequence[str]
    at: Moment | None


class DiffusionLink(Record):
    """One step of a chain: `agent` learned the news at `tick` from `source`, by an event."""

    at: Clock
    memory: int
    description: str
    agent: str
    source: str
    event: str


class DiffusionReport(Record):
    """Who knows a piece of news as of the end of a tick, and who does not, by slug."""

    as_of: Clock
    knowers: int
    news: str
    findings: list[NewsFinding]
    agents: int
    share: float | None
    unexplained: int
    hallucinated: int
    unverified: int


class Divergence(Record):
    """The first event that differs: both versions, and the calls of the turn."""

    event: str
    error: str | None
    logged: EventVersion | None
    replayed: EventVersion | None
    calls: list[RepeatedCall]


class DriftByDay(Record):
    """An agent at the end of a day, compared with its description; shares are 0 to 1."""

    date: str
    seeds_in_summary: float | None
    occupation_in_summary: bool | None
    facts_kept: float | None
    occupation_kept: float | None
    pursuits_kept: float | None
    facts_added: int
    action_divergence: float | None


class DriftOfAgent(Record):
    """The drift of an agent on the days that are over."""

    agent: str
    days: list[DriftByDay]


DropReason: TypeAlias = Literal["without-evidence", "repeats", "unearned"]


class Dropped(Record):
    """An insight of the model that was dropped."""

    question: str
    statement: str
    reason: DropReason
    cited: list[int]


class EmbodimentDetail(Record):
    """The control of an agent by a user, with what the agent perceives."""

    id: int
    agent: str
    visitor: bool
    by: str
    reason: str
    state: EmbodimentState
    refusal: str
    start_at: str | None
    start_tick: int | None
    end_at: str | None
    end_tick: int | None
    clock: Clock
    name: str
    standing: Standing | None
    heard: list[SaidInTalk]
    actions: list[ActionAsked]


class EmbodimentShown(Record):
    """The control of an agent by a user, in a list."""

    id: int
    agent: str
    visitor: bool
    by: str
    reason: str
    state: EmbodimentState
    refusal: str
    start_at: str | None
    start_tick: int | None
    end_at: str | None
    end_tick: int | None


class EmbodimentShownList(Record):
    """A page of results; `next` is the address of the next one."""

    results: list[EmbodimentShown]
    next: str | None


EmbodimentState: TypeAlias = Literal["pending", "refused", "open", "ended"]


class EntryRequest(TypedDict, total=False):
    """The reason and the time of the control of an agent."""

    at: Moment | None
    reason: str


class EstimateFigures(Record):
    """How the figures were measured: the command, its date, and the simulation."""

    measured_on: str
    agent_count: int
    measured_by: str
    world: str


class Estimated(Record):
    """Calls, tokens and cost."""

    calls: int
    prompt_tokens: int
    cached_prompt_tokens: int
    completion_tokens: int
    billed_equivalent_tokens: int
    cost: float


class EstimatedModels(Record):
    """The models of an estimate and their prices; null where a price is not known."""

    chat_model: str
    embedding_model: str
    price: ModelPrice | None
    embedding_price: ModelPrice | None
    is_priced: bool


class EstimatedOfTask(Record):
    """The estimate of one LLM task, and its source."""

    calls: int
    prompt_tokens: int
    cached_prompt_tokens: int
    completion_tokens: int
    billed_equivalent_tokens: int
    cost: float
    task: str
    rests_on: RestsOn


class EventVersion(Record):
    """An event as it is on the log, or as the turn leads to it now."""

    data: dict[str, Any]
    cause: str | None
    type: str
    model_calls: list[str]


class EvidenceMemory(Record):
    """A memory in the evidence of a thought."""

    id: int
    kind: MemoryKind
    description: str
    importance: int
    evidence: list[int]
    subject: str
    created_at: str
    created_tick: int
    last_retrieved_at: str | None
    last_retrieved_tick: int | None
    rated: bool
    times: int
    last_repeated_at: str | None
    last_repeated_tick: int | None
    origin: str
    passing_on: str
    event: str
    source: str | None


class Experiment(Record):
    """An experiment: its design, its progress, its estimate and its use."""

    state: WorkState
    progress: Progress
    waits_for: str | None
    waits_since: str | None
    problem: WorkProblem | None
    by: str
    reason: str
    recorded_at: str
    end_recorded_at: str | None
    id: str
    status_url: str
    name: str
    title: str
    design: dict[str, Any]
    conditions: int
    shared_pasts: int
    estimate: UseOfExperiment
    used: UseOfExperiment
    runs_url: str
    events_url: str
    results_url: str
    summary_url: str
    report_url: str


class ExperimentDesignRequest(TypedDict, total=False):
    """An experiment: every combination of levels is a condition, run with every seed."""

    name: Required[str]
    title: str
    worlds: Sequence[str]
    agents: int | Sequence[str] | None
    seeds: Required[Sequence[int] | SeedRange]
    settings: Mapping[str, Mapping[str, Any]]
    models: Mapping[str, str | ModelSpec | None]
    interventions: Mapping[str, InterventionLevel]
    moments: Required[Sequence[str | int]]
    measures: Required[Sequence[str | ArguedMeasure]]
    baseline: Mapping[str, str]
    references: Mapping[str, float | Sequence[float | None]]
    budget: Budget
    runs_at_once: int


class ExperimentEstimateShown(Record):
    """The expected use of an experiment, by recorded figures."""

    conditions: int
    runs: int
    shared_pasts: int
    ticks: int
    shared_ticks: int
    total: UseOfExperiment


class ExperimentEventShown(Record):
    """An event: what was requested, done or observed."""

    number: int
    type: str
    by: str | None
    data: dict[str, Any]
    recorded_at: str


class ExperimentEventShownList(Record):
    """A page of results; `next` is the address of the next one."""

    results: list[ExperimentEventShown]
    next: str | None


class ExperimentFigure(Record):
    """A figure of the report; `problem` says why it is not drawn, null for one that is."""

    problem: str | None
    number: int
    name: str
    measure: str
    title: str
    unit: str


class ExperimentFigureList(Record):
    """A page of results; `next` is the address of the next one."""

    results: list[ExperimentFigure]
    next: str | None


class ExperimentOf(Record):
    """The experiment of yours that a simulation is a run of."""

    id: str
    name: str


class ExperimentRun(Record):
    """A run with what it has come to, its estimate, and what it has used so far."""

    problem: str | None
    world: str
    settings: str
    model: str
    intervention: str
    number: int
    key: str
    seed: int
    is_measured: bool
    state: WorkState
    simulation: str | None
    parent: str | None
    fork_tick: int | None
    committed_tick: int | None
    until_tick: int | None
    measured_moments: int
    estimated_calls: int
    estimated_tokens: int
    estimated_cost: float
    calls: int
    tokens: int
    cost: float


class ExperimentRunList(Record):
    """A page of results; `next` is the address of the next one."""

    results: list[ExperimentRun]
    next: str | None


class ExperimentSummary(Record):
    """An experiment in a list; its progress counts the measured runs that are over."""

    state: WorkState
    progress: Progress
    waits_for: str | None
    waits_since: str | None
    problem: WorkProblem | None
    by: str
    reason: str
    recorded_at: str
    end_recorded_at: str | None
    id: str
    status_url: str
    name: str
    title: str


class ExperimentSummaryList(Record):
    """A page of results; `next` is the address of the next one."""

    results: list[ExperimentSummary]
    next: str | None


class ExperimentValue(Record):
    """A value of a measure of a run as of the end of a tick; null if it has none."""

    time: str
    world: str
    settings: str
    model: str
    intervention: str
    number: int
    experiment: str
    seed: int
    tick: int
    measure: str
    value: float | None


class ExperimentValueList(Record):
    """A page of results; `next` is the address of the next one."""

    results: list[ExperimentValue]
    next: str | None


class Fact(Record):
    """A version of a lasting fact, from the turn that established or revised it."""

    number: int
    kind: FactKind
    other: str | None
    tie: str | None
    standing: str | None
    statements: list[str]
    opinion: str | None
    derived_from: FactSource
    evidence: list[int]
    until: str | None
    passing_on: str | None
    start_at: str
    start_tick: int
    end_at: str | None
    end_tick: int | None


FactKind: TypeAlias = Literal[
    "occupation", "pursuit", "routine", "relationship", "intention", "state", "secret"
]


class FactList(Record):
    """A page of results; `next` is the address of the next one."""

    results: list[Fact]
    next: str | None


FactSource: TypeAlias = Literal["description", "insight", "conversation"]


class FigureByDay(Record):
    """A count, a mean or a share, with a value for each day that is over."""

    name: str
    values: list[float | None]


class FiguresByDay(Record):
    """The dates of the days that are over, and the figures with a value for each of them."""

    figures: list[FigureByDay]
    dates: list[str]


FocusedMemories: TypeAlias = Literal["ignored", "first"]


class ForkRequestRequest(TypedDict, total=False):
    """The branch to create; what is left out stays as in the simulation."""

    at: Required[Moment]
    name: Required[str]
    seed: int | None
    settings: SettingsIn | None
    model: str | ModelSpec | None
    budget: Budget | None
    interventions: Sequence[BranchIntervention]


class FoundedOn(Record):
    """The specification of a simulation, besides the models' answers."""

    preset: Preset
    tick_seconds: int
    vision: int
    noticed_across_rooms: AcrossRooms
    attention_bandwidth: int
    retention_hours: float
    recency_decay: float
    weight_recency: float
    weight_importance: float
    weight_relevance: float
    relevance_emphasis: RelevanceEmphasis
    query_words: QueryWords
    subject_share: float
    condensed_memories: CondensedMemories
    distant_statements: CondensedMemories
    focus: FocusedMemories
    reflection_threshold: int
    outline_chunks_min: int
    outline_chunks_max: int
    action_minutes_min: int
    action_minutes_max: int
    retrieval_tokens: int
    actions_retrieval_tokens: int
    reuse_hours: ReuseOfHours
    summary_refresh_hours: float
    wait_minutes: int
    reaction_pause_minutes: int
    situation_calls_per_hour: float
    decisions_per_hour: int
    sights_per_hour: int
    talk_reason_minutes: int
    talk_utterances_max: int
    hearing_distance: int
    words_per_minute: int
    users_patience_minutes: int
    world: str
    world_sha256: str
    seed: int
    embedding_model: str
    embedding_dimensions: int
    start_at: str


class Gathering(TypedDict, total=False):
    """The attendance of a gathering, whose news agents know or not."""

    name: Required[str]
    topic: Sequence[str]
    about: Sequence[str]
    asks: Sequence[str]
    news: str
    verifier: str
    place: Required[str]
    from_: Required[str | int]
    to: Required[str | int]
    hosts: Sequence[str] | None


class GatheringGuest(Record):
    """An agent that knew of a gathering before its end, had agreed to come, or came."""

    knew_from: Clock | None
    came: Clock | None
    came_knowing: bool
    agent: str
    memory: int | None
    agreements: list[str]
    minutes: int
    knew: bool


class GatheringRequest(TypedDict, total=False):
    """A gathering: the news of it, its place and its time."""

    search: str | None
    topic: Sequence[str]
    about: Sequence[str]
    asks: Sequence[str]
    place: Required[str]
    from_: Required[Moment]
    to: Required[Moment]
    hosts: Sequence[str] | None


class HealthReport(Record):
    """The health of the service."""

    status: HealthStatus
    web: HealthWord
    database: HealthWord
    worker: HealthWord
    scheduler: HealthWord
    notifications: HealthWord


HealthStatus: TypeAlias = Literal["ok", "degraded", "unavailable"]


HealthWord: TypeAlias = Literal["ok", "unavailable", "unknown"]


class HeldMemory(Record):
    """A memory that holds the news, and the verifier's reason."""

    memory: int
    at: Clock
    description: str
    extent: NewsExtent
    reason: str


class HistoryMeasures(Record):
    """What a history amounts to by the end of a tick."""

    agents: int
    events: int
    conversations: int
    utterances: int
    memories: int
    planned_hours: int
    known_places: int
    remembered_density: float
    sighted_density: float
    met_density: float
    talked_density: float
    related_density: float
    model_calls: int
    reused_calls: int
    tokens: int
    cost: float


class ImportEstimate(Record):
    """What an import of an archive would read; it calls no model and costs nothing."""

    name: str
    world: str
    seed: int
    committed_tick: int
    lines: int


class ImportedArchive(Record):
    """An import, and the simulation once it is there."""

    state: WorkState
    progress: Progress
    waits_for: str | None
    waits_since: str | None
    problem: WorkProblem | None
    by: str
    reason: str
    recorded_at: str
    end_recorded_at: str | None
    id: str
    status_url: str
    name: str
    bytes: int
    simulation: str | None


class ImportedArchiveList(Record):
    """A page of results; `next` is the address of the next one."""

    results: list[ImportedArchive]
    next: str | None


class Inhabitant(Record):
    """An agent: its position and its action."""

    name: str
    age: int
    slug: str
    position: Position
    path: list[Position]
    action: str
    emoji: str
    place: str
    due_at: str | None
    due_tick: int | None
    asleep: bool
    talking_with: str | None


class Insight(Record):
    """An insight: a memory, with its evidence."""

    question: str
    memory: TreeMemory
    replaces: int | None


class InterventionLevel(TypedDict, total=False):
    """What users do after the moment `at`; without a moment nothing."""

    at: str | int | None
    commands: Sequence[BranchIntervention]


class Interview(Record):
    """A question, and the answer once there is one."""

    state: WorkState
    progress: Progress
    waits_for: str | None
    waits_since: str | None
    problem: WorkProblem | None
    by: str
    reason: str
    recorded_at: str
    end_recorded_at: str | None
    id: str
    status_url: str
    agent: str
    persona: str
    question: str
    conditions: str
    as_of: Clock
    answer: str | None
    answer_form: dict[str, Any]
    value: str | float | None
    no_value: str | None
    parse_error: str | None
    memories: list[UsedMemory]
    model_calls: list[str]
    remembered: bool
    command: CommandStatus | None


class InterviewClaim(Record):
    """An answer about a piece of news, and its evidence."""

    as_of: Clock
    memory: int | None
    interview: str
    agent: str
    conditions: str
    answer: str
    verdict: ClaimVerdict


class InterviewList(Record):
    """A page of results; `next` is the address of the next one."""

    results: list[Interview]
    next: str | None


class Judgement(Record):
    """The ranks that an evaluator has given, by condition."""

    task: str
    evaluator: str
    agent: str
    as_of: Clock
    question: str
    category: str
    ranks: dict[str, float]
    reason: str
    parse_error: str
    model_calls: list[str]
    recorded_at: str
    written_by: str


class JudgementList(Record):
    """A page of results; `next` is the address of the next one."""

    results: list[Judgement]
    next: str | None


class KnowingAgent(Record):
    """An agent that knows the news, with the first memory that holds it."""

    at: Clock
    problem: str | None
    teller_not_searched: str | None
    memory: int
    description: str
    is_origin: bool
    chain: list[DiffusionLink]


class KnowingAgents(Record):
    """The agents of each history that have a memory whose words contain a text."""

    about: str
    one: list[str]
    other: list[str]


KnowledgeVerdict: TypeAlias = Literal["knows", "unaware", "hallucinated", "unverified"]


class KnownNode(Record):
    """A node that an agent knows, and its state as last seen by the agent (W3)."""

    path: str
    kind: NodeKind
    state: str | None
    updated_at: str
    updated_tick: int


class KnownNodeList(Record):
    """A page of results; `next` is the address of the next one."""

    results: list[KnownNode]
    next: str | None


class LastWords(Record):
    """The last utterance of a conversation."""

    text: str
    agent: str
    tick: int
    time: str


class LatestMemory(Record):
    """The latest memory of an agent about another one."""

    id: int
    description: str
    created_at: str
    created_tick: int


class LoggedEvent(Record):
    """An event: its type and data, stream, time and cause."""

    id: str
    tick: int
    time: str
    stream: str
    ordinal: int
    type: str
    data: dict[str, Any]
    cause: str | None
    model_calls: list[str]
    recorded_at: str


class LoggedEventList(Record):
    """A page of results; `next` is the address of the next one."""

    results: list[LoggedEvent]
    next: str | None


class MeasuresSideBySide(Record):
    """The measures of both simulations."""

    one: HistoryMeasures
    other: HistoryMeasures


class Member(Record):
    """A member: a user with a role in a simulation."""

    username: str
    role: Role
    founder: bool
    given_by: str | None
    recorded_at: str


class MemberList(Record):
    """A page of results; `next` is the address of the next one."""

    results: list[Member]
    next: str | None


class Memory(Record):
    """A memory; only its retrievals, its repetitions and a provisional importance change."""

    id: int
    kind: MemoryKind
    description: str
    importance: int
    evidence: list[int]
    subject: str
    created_at: str
    created_tick: int
    last_retrieved_at: str | None
    last_retrieved_tick: int | None
    rated: bool
    times: int
    last_repeated_at: str | None
    last_repeated_tick: int | None
    origin: str
    passing_on: str


MemoryKind: TypeAlias = Literal["observation", "reflection", "plan", "dialogue"]


class MemoryList(Record):
    """A page of results; `next` is the address of the next one."""

    results: list[Memory]
    next: str | None


class Model(Record):
    """The models of a simulation, by the names of their servers."""

    server: str
    chat_model: str
    embedding_server: str
    embedding_model: str
    embedding_dimensions: int
    temperature: float | None
    prompt_form: PromptForm | None
    tasks: dict[str, str] | None
    agents: dict[str, str] | None


ModelCallOutcome: TypeAlias = Literal["valid", "adjusted", "repaired", "fell_back"]


ModelCallPurpose: TypeAlias = Literal["turn", "interview"]


ModelCapability: TypeAlias = Literal[
    "chat",
    "typed answer",
    "seed",
    "long prompt",
    "cached tokens",
    "parallel calls",
    "embedding",
    "price",
]


class ModelCheck(Record):
    """What a chat model with its embedding model can do, and what a day of an agent costs."""

    day: Estimated
    model: str
    embedding: str
    capabilities: list[CheckedCapability]
    tokens_used: int
    prompt_tokens_per_second: float | None
    answer_tokens_per_second: float | None
    is_priced: bool
    day_minutes: float | None
    is_usable: bool


class ModelOffer(Record):
    """A chat model that simulations may use; prices are null where they are not known."""

    model: str
    price: ModelPrice | None
    embedding_price: ModelPrice | None
    server: str
    chat_model: str
    embedding_model: str
    is_default: bool
    others_allowed: bool


class ModelOfferList(Record):
    """A page of results; `next` is the address of the next one."""

    results: list[ModelOffer]
    next: str | None


class ModelPrice(Record):
    """The price of a million tokens, as the operator or the preset of the server has it."""

    prompt: float
    cached_prompt: float | None
    completion: float
    source: str
    as_of: str | None


class ModelSpec(TypedDict, total=False):
    """The models of one simulation (L1). `server` and `embedding_server` are names in the settings, so that neither addresses nor keys enter a simulation's history."""

    server: str
    chat_model: str
    embedding_server: str
    embedding_model: str
    embedding_dimensions: int
    temperature: float | None
    prompt_form: PromptForm
    tasks: Mapping[str, str]
    agents: Mapping[str, str]


class ModelTrial(Record):
    """A trial of a model, and what it has found so far."""

    state: WorkState
    progress: Progress
    waits_for: str | None
    waits_since: str | None
    problem: WorkProblem | None
    by: str
    reason: str
    recorded_at: str
    end_recorded_at: str | None
    tokens: int
    tokens_max: int | None
    id: str
    status_url: str
    model: str
    from_at: str
    from_tick: int
    to_at: str
    to_tick: int
    tasks: list[str]
    calls_per_task: int
    seed: int
    calls: int
    left_out: int | None
    money: float
    money_max: float | None
    total: TrialLine
    by_task: list[TrialLine]


class ModelTrialList(Record):
    """A page of results; `next` is the address of the next one."""

    results: list[ModelTrial]
    next: str | None


class Move(TypedDict, total=False):
    """The destination of a walk: a node of the world, or a tile."""

    to: str
    tile: TileOfMap | None


class NetworkMeasures(Record):
    """The measures of an undirected network of agents, which are given by slug."""

    kind: str
    agents: int
    ties: int
    density: float
    mean_degree: float
    degrees: dict[str, int]
    clustering: float
    isolated: list[str]
    communities: list[list[str]]
    modularity: float | None


class NewExperimentRequest(TypedDict, total=False):
    """An experiment that is to be carried out."""

    name: Required[str]
    title: str
    worlds: Sequence[str]
    agents: int | Sequence[str] | None
    seeds: Required[Sequence[int] | SeedRange]
    settings: Mapping[str, Mapping[str, Any]]
    models: Mapping[str, str | ModelSpec | None]
    interventions: Mapping[str, InterventionLevel]
    moments: Required[Sequence[str | int]]
    measures: Required[Sequence[str | ArguedMeasure]]
    baseline: Mapping[str, str]
    references: Mapping[str, float | Sequence[float | None]]
    budget: Budget
    runs_at_once: int
    reason: str


class NewMemberRequest(TypedDict, total=False):
    """A user, and the role to grant."""

    role: Required[Role]
    username: Required[str]


class NewStateRequest(TypedDict, total=False):
    """An object and its state: `object` and `state`, or both in `text`."""

    at: Moment | None
    reason: str
    object: str
    state: str
    text: str
    alarming: bool | None


class NewcomerHours(TypedDict, total=False):
    """The times at which an agent wakes, goes to bed and dines: "07:00"."""

    wake: Required[str]
    sleep: Required[str]
    dinner: str | None


class NewcomerRequest(TypedDict, total=False):
    """An agent to add to the simulation (U5)."""

    at: Moment | None
    reason: str
    name: Required[str]
    age: Required[int]
    traits: Required[Sequence[str]]
    description: Required[str]
    hours: Required[NewcomerHours]
    home: Required[str]
    bed: str | None
    workplace: str | None
    knows: Sequence[str]
    model: str | None


NewsExtent: TypeAlias = Literal["whole", "part"]


class NewsFinding(Record):
    """The verdict on an agent, and what it rests on."""

    agent: str
    verdict: KnowledgeVerdict
    knower: KnowingAgent | None
    evidence: SearchEvidence | None


class NewsMeasure(TypedDict, total=False):
    """A piece of news: found by its words, or by meaning if `news` tells it."""

    name: Required[str]
    topic: Sequence[str]
    about: Sequence[str]
    asks: Sequence[str]
    news: str
    verifier: str


class NewsSearch(Record):
    """A news search and its progress."""

    state: WorkState
    progress: NewsSearchProgress
    waits_for: str | None
    waits_since: str | None
    problem: WorkProblem | None
    by: str
    reason: str
    recorded_at: str
    end_recorded_at: str | None
    tokens: int
    tokens_max: int | None
    id: str
    status_url: str
    news: str
    as_of: Clock
    verifier: str


class NewsSearchEstimate(Record):
    """The expected use of a news search."""

    calls: int
    prompt_tokens: int
    cached_prompt_tokens: int
    completion_tokens: int
    billed_equivalent_tokens: int
    cost: float
    is_priced: bool
    by_task: list[EstimatedOfTask]
    agents: int
    calls_max: int


class NewsSearchList(Record):
    """A page of results; `next` is the address of the next one."""

    results: list[NewsSearch]
    next: str | None


class NewsSearchProgress(Record):
    """The agents of a search, those verified, and of these the ones without a valid answer."""

    parts: str
    done: int
    total: int
    invalid: int


class NextRankingTask(Record):
    """The next task that you have not ranked, and your progress."""

    tasks: int
    ranked: int
    agent_name: str | None
    task: RankingTask | None


NodeKind: TypeAlias = Literal["town", "place", "area", "object"]


class NodeNorms(Record):
    """The norms of a node."""

    hours: OpeningHours | None
    holds: int | None
    keepers: list[str]
    residents: list[str]
    private: bool


class ObjectInView(Record):
    """An object in view."""

    path: str
    state: str
    distance: int


class ObjectState(Record):
    """An object that is not idle: its path, its state, and the slugs of its users."""

    path: str
    state: str
    used_by: list[str]


class OneMemoryWithEvent(Record):
    """A memory, with the event that formed it."""

    id: int
    kind: MemoryKind
    description: str
    importance: int
    evidence: list[int]
    subject: str
    created_at: str
    created_tick: int
    last_retrieved_at: str | None
    last_retrieved_tick: int | None
    rated: bool
    times: int
    last_repeated_at: str | None
    last_repeated_tick: int | None
    origin: str
    passing_on: str
    event: str


class OnlyThere(Record):
    """What an agent has in one history only: its most important memories, its planned hours."""

    hours: list[ComparedHour]
    memories: list[str]


class Open(TypedDict, total=False):
    """The opening of the door of the agent's home, or of its private room, to a visitor."""

    to: Required[str]


class OpeningHours(Record):
    """Opening hours; a closing time before the opening one is in the next day."""

    opens: str
    closes: str


class OutcomeTable(Record):
    """The outcomes of the answers of a simulation's model calls."""

    total: OutcomesOfTask
    by_task: list[OutcomesOfTask]
    by_model: list[OutcomesOfTask]


class OutcomesOfTask(Record):
    """The outcomes of the answers of one task or model, or of all; failed calls have none."""

    kept_share: float | None
    key: str
    calls: int
    kept: int
    adjusted: int
    asked_again: int
    fell_back: int


class ParentOf(Record):
    """The history of a simulation up to the end of a tick."""

    id: str
    clock: Clock


class PatchedChangeSimulationRequest(TypedDict, total=False):
    """The changes of a simulation."""

    name: str
    budget: Budget | None


class PatchedGivenRoleRequest(TypedDict, total=False):
    """A role."""

    role: Required[Role]


class PauseRequest(TypedDict, total=False):
    """The reason of a pause."""

    reason: str


class PerceivedRequest(TypedDict, total=False):
    """An observation for an agent."""

    at: Moment | None
    reason: str
    text: Required[str]
    alarming: bool | None


class Plan(Record):
    """A plan-day, from waking to the next waking; empty before the first one is made."""

    clock: Clock
    day: str | None
    outline: list[PlannedChunk]


class PlanBehind(Record):
    """The plan at that moment: the action, its hour, and the part of the day."""

    action: PlannedStep | None
    hour: PlannedStep | None
    outline: PlannedStep | None


class PlanKeepingCounts(Record):
    """The planned actions whose time is over, and those that were begun, or hardly begun."""

    planned: int
    begun: int
    short: int
    begun_share: float | None


class PlannedAction(Record):
    """An action of a few minutes; `description` continues the sentence "<name> is"."""

    number: int
    description: str
    start_at: str
    start_tick: int
    end_at: str
    end_tick: int
    asleep: bool
    area: str
    object: str
    object_state: str
    emoji: str
    importance: int
    act: ActKind
    other: str
    about: str
    reused_from: str


class PlannedChunk(Record):
    """A part of the day; `free` where a revision has left nothing for the time."""

    number: int
    description: str
    start_at: str
    start_tick: int
    end_at: str
    end_tick: int
    asleep: bool
    free: bool
    place: str
    hours: list[PlannedHour]


class PlannedHour(Record):
    """About an hour; its actions are planned just in time."""

    number: int
    description: str
    start_at: str
    start_tick: int
    end_at: str
    end_tick: int
    asleep: bool
    place: str
    actions: list[PlannedAction]


class PlannedHours(Record):
    """How many hours have planned actions, and how many of these repeat a known hour."""

    planned: int
    reused: int


class PlannedStep(Record):
    """An item of the plan, and the event that planned it."""

    number: int
    description: str
    start_at: str
    start_tick: int
    end_at: str
    end_tick: int
    place: str
    event: str | None


class PlotSummary(Record):
    """A plot; `needs_news` where it is of a piece of news."""

    name: str
    title: str
    description: str
    needs_news: bool


class PlotSummaryList(Record):
    """A page of results; `next` is the address of the next one."""

    results: list[PlotSummary]
    next: str | None


class Position(Record):
    """A tile of the map; (0, 0) is the top left."""

    x: int
    y: int


class PreparationOf(Record):
    """How many agents a simulation has, and how many of them have their seed memories."""

    agents: int
    ready: int


Preset: TypeAlias = Literal["economy", "standard", "rich"]


class Progress(Record):
    """How many parts of work are done, of how many; the kind says what they are."""

    parts: str
    done: int
    total: int


PromptForm: TypeAlias = Literal["full", "short"]


class QualityCheckResult(Record):
    """The number of faults that a check has found, and the first of them in words."""

    left_out: str | None
    name: str
    fault_count: int
    faults: list[str]


class QualityReport(Record):
    """The counts of a run up to the end of a tick, and the checks of its latest whole day."""

    answers: OutcomesOfTask
    answers_by_task: list[OutcomesOfTask]
    as_of: Clock
    checked_day: str | None
    passed: int
    agents: int
    agent_days: float
    memories: RepetitionCounts
    utterances: RepetitionCounts
    reflections: RepetitionCounts
    checks: list[QualityCheckResult]
    by_day: FiguresByDay | None
    drift: list[DriftOfAgent] | None
    memories_per_agent_day: float | None


QueryWords: TypeAlias = Literal["alike", "rare first"]


class QuestionRequest(TypedDict, total=False):
    """A question to an agent."""

    question: Required[str]
    persona: str
    remember: bool
    answer_form: AnswerForm
    conditions: str
    at: Moment | None
    reason: str


class Questionnaire(TypedDict, total=False):
    """A questionnaire of a user."""

    name: Required[str]
    title: str
    source: str
    questions: Required[Sequence[TypedQuestion]]


class QuestionnaireRequest(TypedDict, total=False):
    """A questionnaire of a user."""

    name: Required[str]
    title: str
    source: str
    questions: Required[Sequence[TypedQuestion]]


class RankStatistic(Record):
    """A test that no condition differs: its statistic, degrees of freedom, and p-value."""

    statistic: float | None
    degrees: int
    p: float | None


class Ranked(Record):
    """A memory with its rank, 1 being the best, and its score."""

    id: int
    kind: MemoryKind
    description: str
    importance: int
    evidence: list[int]
    subject: str
    created_at: str
    created_tick: int
    last_retrieved_at: str | None
    last_retrieved_tick: int | None
    rated: bool
    times: int
    last_repeated_at: str | None
    last_repeated_tick: int | None
    origin: str
    passing_on: str
    rank: int
    in_prompt: bool
    score: float
    parts: ScoreParts


class Ranking(Record):
    """The memories in the order in which a prompt takes them; there is no next page."""

    clock: Clock
    query: str
    decay: float
    results: list[Ranked]
    next: str | None


class RankingEstimate(Record):
    """The expected use of a ranking; none of one by people."""

    calls: int
    prompt_tokens: int
    cached_prompt_tokens: int
    completion_tokens: int
    billed_equivalent_tokens: int
    cost: float
    is_priced: bool
    by_task: list[EstimatedOfTask]
    tasks: int
    left_out: int


class RankingProgress(Record):
    """The questions of a ranking, those with a judgement, and the judgements, valid or not."""

    parts: str
    done: int
    total: int
    judgements: int
    invalid: int


class RankingReportShown(Record):
    """The statistics of a ranking over its valid judgements so far."""

    rankings: int
    conditions: list[RatedCondition]
    effect_size: float | None
    kruskal_wallis: RankStatistic
    friedman: RankStatistic
    pairs: list[ConditionPair]
    by_category: list[CategoryRank]
    ranking: str
    questionnaire: str
    judge: str
    answered_by: str
    without_value: dict[str, int]
    evaluators: int
    seed: int
    tasks: int
    left_out: int
    invalid: int


class RankingTask(Record):
    """The answers to one question of one agent at one moment, in random order."""

    id: str
    agent: str
    as_of: Clock
    question: str
    category: str
    text: str
    answers: list[BlindAnswer]
    your_ranks: dict[str, float] | None
    your_reason: str


class RankingTaskList(Record):
    """A page of results; `next` is the address of the next one."""

    results: list[RankingTask]
    next: str | None


class RatedCondition(Record):
    """The figures of a condition."""

    condition: str
    mu: float
    sigma: float
    mean_rank: float
    mean_rank_low: float | None
    mean_rank_high: float | None
    first_share: float
    plackett_luce_mu: float
    plackett_luce_sigma: float
    paper_mu: float | None
    paper_sigma: float | None


class ReachedAgent(Record):
    """An agent that the interventions can reach, and the first tick at which they can."""

    clock: Clock
    agent: str


class ReasonToStopRequest(TypedDict, total=False):
    """The reason of a pause or an end."""

    reason: str


class RecalledMemory(Record):
    """A retrieved memory, with its score at that time and its origin."""

    id: int
    kind: MemoryKind
    description: str
    importance: int
    evidence: list[int]
    subject: str
    created_at: str
    created_tick: int
    last_retrieved_at: str | None
    last_retrieved_tick: int | None
    rated: bool
    times: int
    last_repeated_at: str | None
    last_repeated_tick: int | None
    origin: str
    passing_on: str
    event: str
    source: str | None
    rank: int
    score: float
    parts: ScoreParts


class RecordedWrittenAnswers(Record):
    """The answers of a request as they were recorded."""

    answers: list[WrittenAnswer]


class Reflection(Record):
    """The result of one reflection."""

    kind: ReflectionKind
    event: str
    importance: int
    questions: list[str]
    insights: list[Insight]
    dropped: list[Dropped]
    created_at: str
    created_tick: int


ReflectionKind: TypeAlias = Literal["insights", "consolidation"]


class ReflectionList(Record):
    """A page of results; `next` is the address of the next one."""

    results: list[Reflection]
    next: str | None


class RegisteredFunction(Record):
    """A function that can be chosen by name."""

    name: str
    description: str


class RegisteredFunctionList(Record):
    """A page of results; `next` is the address of the next one."""

    results: list[RegisteredFunction]
    next: str | None


class Relationship(Record):
    """The relationship of `agent` to `other`, from the memories of `agent`."""

    agent: str
    other: str
    remembered: bool
    mutual: bool
    sighted: bool
    met: bool
    talked: bool
    related: bool
    tie: str | None
    standing: str | None
    latest_memory: LatestMemory | None
    last_talk_at: str | None
    last_talk_tick: int | None
    memory_count: int
    conversation_count: int


class RelationshipDifference(Record):
    """The pairs of one kind of acquaintance that one history has and the other has not."""

    kind: Acquaintance
    only_one: list[list[str]]
    only_other: list[list[str]]


class Relationships(Record):
    """A page of relationships by slug, and the densities of the networks."""

    clock: Clock
    agent_count: int
    densities: Densities
    results: list[Relationship]
    next: str | None


RelevanceEmphasis: TypeAlias = Literal["none", "questions", "purposes"]


class RepeatedCall(Record):
    """A call that a turn makes again: its messages now and when it was recorded."""

    id: str
    recorded_messages: list[dict[str, Any]] | None
    messages: list[dict[str, str]]
    is_changed: bool


class RepetitionCounts(Record):
    """How many texts there are, and how many repeat an earlier one but for names."""

    count: int
    repeated: int
    repeated_share: float | None


class Replay(Record):
    """A replay, and what it has compared so far."""

    state: WorkState
    progress: Progress
    waits_for: str | None
    waits_since: str | None
    problem: WorkProblem | None
    by: str
    reason: str
    recorded_at: str
    end_recorded_at: str | None
    id: str
    status_url: str
    from_at: str
    from_tick: int
    to_at: str
    to_tick: int
    tick: int | None
    turns: int
    events: int
    calls: int
    changed_calls: int
    changed_call: str | None
    divergence: Divergence | None


class ReplayEstimate(Record):
    """The expected use of a replay, which calls no model."""

    calls: int
    prompt_tokens: int
    cached_prompt_tokens: int
    completion_tokens: int
    billed_equivalent_tokens: int
    cost: float
    is_priced: bool
    by_task: list[EstimatedOfTask]
    ticks: int


class ReplayList(Record):
    """A page of results; `next` is the address of the next one."""

    results: list[Replay]
    next: str | None


class ReplayRequestRequest(TypedDict, total=False):
    """The committed ticks whose turns are taken again; all of them by default."""

    from_: Moment | None
    to: Moment | None
    reason: str


RequestableAct: TypeAlias = Literal["look for", "wait for", "follow", "give", "leave"]


class RequestedIntervention(Record):
    """What users do at the first tick of the branch."""

    kind: str
    agent: str | None
    object: str | None
    text: str | None


class RequestedNewsSearchRequest(TypedDict, total=False):
    """A piece of news as a sentence, and in whose memories it is searched."""

    tokens_max: int | None
    news: Required[str]
    agents: Sequence[str] | None
    at: Moment | None
    verifier: str
    reason: str


class RequestedRankingRequest(TypedDict, total=False):
    """Who ranks the answers of a survey, and which of them."""

    judge: Required[str]
    seed: int
    conditions: Sequence[str]
    questions_per_category: int | None
    tokens_max: int | None
    reason: str


class RequestedSurveyRequest(TypedDict, total=False):
    """A questionnaire, and who is asked when under which conditions."""

    tokens_max: int | None
    questionnaire: Required[str]
    agents: Sequence[str] | None
    moments: Sequence[Moment]
    conditions: Sequence[str]
    persona: str
    reason: str


RestsOn: TypeAlias = Literal["own past", "figures, with own tokens a call", "figures"]


class ResumedBudgetRequest(TypedDict, total=False):
    """Another budget, if the old one is spent."""

    budget: Budget | None


class ResumptionRequest(TypedDict, total=False):
    """Nothing: work that was stopped continues as it was requested."""


RetrievalPurpose: TypeAlias = Literal[
    "planning",
    "reaction.decision",
    "dialogue.utterance",
    "reflection.insights",
    "self_summary.core_characteristics",
    "self_summary.daily_occupation",
    "self_summary.recent_progress",
    "interview.answer",
]


class RetrievalRequest(TypedDict, total=False):
    """A query of a memory stream."""

    query: Required[str]
    limit: int
    purpose: RetrievalPurpose | None
    tokens: int | None
    weights: AskedWeights | None
    about: str | None
    embedding: AskedEmbedding | None
    importances: Mapping[str, int] | None
    at: Moment | None


class RetrievalThen(Record):
    """A retrieval of that turn, with the scores as of that time (M6)."""

    event: str
    for_: str
    purpose: str
    query: str
    clock: Clock
    decay: float
    memories: list[RecalledMemory]


ReuseOfHours: TypeAlias = Literal["none", "days", "always"]


Role: TypeAlias = Literal["owner", "collaborator", "guest"]


class RoutineReport(Record):
    """The routines of the agents of a simulation."""

    from_: Clock
    as_of: Clock
    other: str | None
    mean_divergence: float | None
    agents: list[AgentRoutine]


class RunOfOne(Record):
    """The progress of one of the two simulations."""

    id: str
    url: str
    clock: Clock
    status: SimulationStatus
    status_reason: str


class RunRequest(TypedDict, total=False):
    """The end and the pace of a run; with both ends, the nearer one counts. While the simulation runs, what is left out stays as it was requested before."""

    until: Moment | None
    ticks: int | None
    pace: float | None


class SaidInTalk(Record):
    """An utterance."""

    text: str
    agent: str
    tick: int
    time: str
    to: str
    ends: bool
    conversation: str


class Say(TypedDict, total=False):
    """The text to say, and the listener."""

    text: Required[str]
    to: str
    ends: bool
    by_phone: bool
    to_all: bool


class ScorePart(Record):
    """One of the three parts of a score (M6)."""

    raw: float
    scaled: float
    weight: float


class ScoreParts(Record):
    """The three parts of a score."""

    recency: ScorePart
    importance: ScorePart
    relevance: ScorePart


class SearchEvidence(Record):
    """What a verifier has read and answered of an agent."""

    held: list[HeldMemory]
    considered: list[ConsideredMemory]
    parse_error: str | None
    model_calls: list[str]


class SeedRange(TypedDict, total=False):
    """A range of seeds with both ends."""

    from_: Required[int]
    to: Required[int]


class ShownQuestionnaire(Record):
    """A questionnaire with its typed questions."""

    name: str
    url: str
    title: str
    source: str
    is_shipped: bool
    questions: list[Questions]


class ShownQuestionnaireList(Record):
    """A page of results; `next` is the address of the next one."""

    results: list[ShownQuestionnaire]
    next: str | None


class Simulation(Record):
    """A simulation: its specification, status and progress."""

    id: str
    name: str
    role: Role
    parent: ParentOf | None
    experiment: ExperimentOf | None
    world: str
    seed: int
    model: Model
    status: SimulationStatus
    reason: str
    preparation: PreparationOf
    clock: Clock
    pace: float | None
    lag_seconds: float
    thinking: list[str]
    calls: int
    calls_reused: int
    answering_models: list[AnsweringModelOf] | None
    tokens: int
    cost: float
    budget: BudgetOf | None
    end_at: str | None
    end_tick: int | None
    recorded_at: str


class SimulationList(Record):
    """A page of results; `next` is the address of the next one."""

    results: list[Simulation]
    next: str | None


class SimulationSpecRequest(TypedDict, total=False):
    """The specification of a new simulation."""

    name: Required[str]
    world: str
    seed: int | None
    model: str | ModelSpec | None
    settings: SettingsIn | None
    agents: int | Sequence[str] | None
    budget: Budget | None


SimulationStatus: TypeAlias = Literal["paused", "running", "pausing"]


class SocialReport(Record):
    """The social measures as of the end of a tick; `commitments` are counts by outcome."""

    as_of: Clock
    commitments: CommitmentCounts
    agents: int
    networks: list[NetworkMeasures]
    conversations: ConversationMeasures
    plans: PlanKeepingCounts


class Standing(Record):
    """The position and the perception of the embodied agent, at the committed tick."""

    position: Position
    place: str
    action: str
    emoji: str
    agents: list[AgentInView]
    objects: list[ObjectInView]
    conversation: TalkInView | None


class State(Record):
    """A simulation at the end of a committed tick."""

    clock: Clock
    status: SimulationStatus | None
    agents: list[Inhabitant]
    objects: list[ObjectState]
    conversations: list[Conversation]


class SubmittedRanksRequest(TypedDict, total=False):
    """The ranks of the answers of a task."""

    ranks: Required[Mapping[str, int]]
    reason: str


class Summary(Record):
    """The summary description of an agent: identity, and three summaries of memories (S1)."""

    name: str
    age: int
    traits: list[str]
    core: str | None
    occupation: str | None
    feeling: str | None
    text: str | None
    updated_at: str | None
    updated_tick: int | None
    due_at: str | None
    due_tick: int | None


class Survey(Record):
    """A survey and its progress."""

    state: WorkState
    progress: SurveyProgress
    waits_for: str | None
    waits_since: str | None
    problem: WorkProblem | None
    by: str
    reason: str
    recorded_at: str
    end_recorded_at: str | None
    tokens: int
    tokens_max: int | None
    id: str
    status_url: str
    questionnaire: str
    agents: list[str]
    moments: list[Clock]
    conditions: list[str]
    persona: str


class SurveyEstimate(Record):
    """The expected use of a survey."""

    calls: int
    prompt_tokens: int
    cached_prompt_tokens: int
    completion_tokens: int
    billed_equivalent_tokens: int
    cost: float
    is_priced: bool
    by_task: list[EstimatedOfTask]
    interviews: int


class SurveyInterview(Record):
    """An interview of a survey, with the name and the category of its question."""

    state: WorkState
    problem: WorkProblem | None
    by: str
    reason: str
    recorded_at: str
    end_recorded_at: str | None
    id: str
    status_url: str
    agent: str
    persona: str
    question: str
    conditions: str
    as_of: Clock
    answer: str | None
    answer_form: dict[str, Any]
    value: str | float | None
    no_value: str | None
    parse_error: str | None
    memories: list[UsedMemory]
    model_calls: list[str]
    remembered: bool
    command: CommandStatus | None
    question_name: str
    category: str


class SurveyInterviewList(Record):
    """A page of results; `next` is the address of the next one."""

    results: list[SurveyInterview]
    next: str | None


class SurveyList(Record):
    """A page of results; `next` is the address of the next one."""

    results: list[Survey]
    next: str | None


class SurveyMeasure(TypedDict, total=False):
    """A questionnaire that agents answer at each moment under one condition of interviews."""

    questionnaire: Required[str | Questionnaire]
    condition: str
    agents: Sequence[str]


class SurveyProgress(Record):
    """The interviews of a survey by their outcome; those that failed are done, too."""

    parts: str
    done: int
    total: int
    answered: int
    failed: int
    invalid: int
    without_value: dict[str, int]


class Talk(Record):
    """A conversation in a list."""

    id: str
    opened_by: str
    participants: list[str]
    open: bool
    start_at: str
    start_tick: int
    end_at: str | None
    end_tick: int | None
    utterance_count: int
    by_phone: bool


class TalkInFull(Record):
    """A conversation with its utterances."""

    id: str
    opened_by: str
    participants: list[str]
    open: bool
    start_at: str
    start_tick: int
    end_at: str | None
    end_tick: int | None
    utterance_count: int
    by_phone: bool
    place: str
    utterances: list[UtteranceRecord]
    sides: list[TalkSide]
    commitments: list[Commitment]


class TalkInView(Record):
    """The conversation of the embodied agent, or one that another agent begins with it."""

    id: str
    other: str
    by_phone: bool
    awaits_answer: bool
    utterances: list[SaidInTalk]


class TalkList(Record):
    """A page of results; `next` is the address of the next one."""

    results: list[Talk]
    next: str | None


class TalkMemory(Record):
    """A memory of the conversation."""

    id: int
    kind: MemoryKind
    description: str
    event: str


class TalkSide(Record):
    """The part of an agent in the conversation, from its first utterance on."""

    agent: str
    start_at: str
    start_tick: int
    end_at: str | None
    end_tick: int | None
    why: str | None
    remembers: list[TalkMemory]


class ThoughtRequest(TypedDict, total=False):
    """The text of an inner voice."""

    at: Moment | None
    reason: str
    text: Required[str]


class TileOfMap(TypedDict, total=False):
    """A tile of the map; (0, 0) is the top left."""

    x: Required[int]
    y: Required[int]


class TimelineEntry(Record):
    """A past action; `end_at` is its real end, null while it goes on."""

    description: str
    emoji: str
    area: str
    object: str
    towards: str
    asleep: bool
    plan_item: int | None
    event: str
    act: ActKind
    other: str
    start_at: str
    start_tick: int
    due_at: str | None
    due_tick: int | None
    end_at: str | None
    end_tick: int | None


class TimelineEntryList(Record):
    """A page of results; `next` is the address of the next one."""

    results: list[TimelineEntry]
    next: str | None


class TokenLimitRequest(TypedDict, total=False):
    """A limit of tokens."""

    tokens_max: int | None


class TokenNotes(Record):
    """What is known of the tokens of calls besides their numbers."""

    reasoning_tokens: int
    is_estimated: bool


class TreeMemory(Record):
    """A memory in a reflection tree."""

    id: int
    kind: MemoryKind
    description: str
    importance: int
    evidence: list[int]
    because_of: list[TreeMemory]
    created_at: str
    created_tick: int


class TrialAnswer(Record):
    """The answer of the other model to a recorded call."""

    id: str
    tick: int
    time: str
    agent: str
    task: str
    outcome: ModelCallOutcome
    recorded_outcome: ModelCallOutcome
    prompt_tokens: int
    completion_tokens: int
    latency_ms: int
    cost: float | None
    recorded_model: str
    answer: dict[str, Any]
    decision: list[list[Any]] | None
    recorded_decision: list[list[Any]] | None
    is_equal: bool | None
    overlap: float | None


class TrialAnswerList(Record):
    """A page of results; `next` is the address of the next one."""

    results: list[TrialAnswer]
    next: str | None


class TrialEstimate(Record):
    """The expected use of a trial, by what the recorded calls used."""

    calls: int
    prompt_tokens: int
    cached_prompt_tokens: int
    completion_tokens: int
    billed_equivalent_tokens: int
    cost: float
    is_priced: bool
    by_task: list[EstimatedOfTask]


class TrialLimitsRequest(TypedDict, total=False):
    """Other limits of a trial."""

    tokens_max: int | None
    money_max: float | None


class TrialLine(Record):
    """The answers to the calls of one LLM task, or of all, counted and compared."""

    task: str
    recorded_calls: int
    asked: int
    kept: int
    adjusted: int
    asked_again: int
    fell_back: int
    compared: int
    equal: int
    overlap: float | None
    recorded: TrialUse
    other: TrialUse
    saved: float | None
    valid_share: float | None
    equal_share: float | None


class TrialRequestRequest(TypedDict, total=False):
    """Another model, and which recorded calls of turns it is asked again."""

    model: Required[str]
    from_: Moment | None
    to: Moment | None
    tasks: Sequence[str]
    calls_per_task: int
    seed: int
    tokens_max: int | None
    money_max: float | None
    reason: str


class TrialUse(Record):
    """What calls of a model used together."""

    tokens: int
    latency_ms: int
    cost: float | None


class TypedQuestion(TypedDict, total=False):
    """A question with the form of its answer."""

    name: Required[str]
    text: Required[str]
    category: str
    answer: AnswerForm


class Use(TypedDict, total=False):
    """An activity with an object, and its duration."""

    object: Required[str]
    doing: Required[str]
    minutes: int
    state: str
    emoji: str


class UseOfExperiment(Record):
    """Calls, tokens of prompts and answers together, and cost."""

    calls: int
    tokens: int
    cost: float


class UsedMemory(Record):
    """A memory in the prompt of the answer, with the query, rank and score of its retrieval."""

    id: int
    kind: MemoryKind
    description: str
    importance: int
    evidence: list[int]
    subject: str
    created_at: str
    created_tick: int
    last_retrieved_at: str | None
    last_retrieved_tick: int | None
    rated: bool
    times: int
    last_repeated_at: str | None
    last_repeated_tick: int | None
    origin: str
    passing_on: str
    query: str
    rank: int
    score: float


class UtteranceRecord(Record):
    """An utterance; the provenance of its event tells why."""

    event: str
    tick: int
    time: str
    conversation: str
    agent: str
    to: str
    participants: list[str]
    text: str
    ends: bool
    leaves: bool
    by_phone: bool
    memories: list[int]


class UtteranceRecordList(Record):
    """A page of results; `next` is the address of the next one."""

    results: list[UtteranceRecord]
    next: str | None


class VerdictCounts(Record):
    """The number of claims by verdict."""

    supported: int
    unsupported: int
    unaware: int
    forgotten: int
    no_value: int
    unverified: int


class VisitRequest(TypedDict, total=False):
    """A visitor to add to the simulation."""

    name: Required[str]
    description: str
    age: int
    traits: Sequence[str]
    model: str | None
    at: Moment | None
    reason: str
    place: str


class Why(Record):
    """The direct origin of an event; each id in it can be looked up in turn."""

    event: LoggedEvent
    causes: list[LoggedEvent]
    conversation: str | None
    plan: PlanBehind | None
    reaction: LoggedEvent | None
    retrievals: list[RetrievalThen]
    evidence: list[EvidenceMemory]
    model_calls: list[CallBehind]


class WithAgent(TypedDict, total=False):
    """An act with another agent, or a thing left for others."""

    kind: Required[RequestableAct]
    agent: str
    thing: str
    object: str
    state: str
    minutes: int


class WorkEstimate(Record):
    """The expected use of background work, before it is requested."""

    calls: int
    prompt_tokens: int
    cached_prompt_tokens: int
    completion_tokens: int
    billed_equivalent_tokens: int
    cost: float
    is_priced: bool
    by_task: list[EstimatedOfTask]


class WorkProblem(Record):
    """The reason that work is paused, has failed or was cancelled."""

    code: str
    detail: str


WorkState: TypeAlias = Literal["pending", "running", "paused", "done", "failed", "cancelled"]


class WorldNode(Record):
    """A node of the world: the world itself, a place, an area or an object."""

    path: str
    name: str
    kind: NodeKind
    norms: NodeNorms
    idle_state: str | None
    children: list[WorldNode]


class WorldSummary(Record):
    """A world that simulations can be created in."""

    name: str
    title: str
    description: str
    places: list[str]
    language: str | None
    problem: str | None
    start_at: str | None
    agents: list[str]
    phones: bool


class WorldSummaryList(Record):
    """A page of results; `next` is the address of the next one."""

    results: list[WorldSummary]
    next: str | None


class WriterAnswer(TypedDict, total=False):
    """What a person answers in the voice of an agent."""

    agent: Required[str]
    moment: Required[Moment]
    question: Required[str]
    answer: Required[str]


class WriterAnswersRequest(TypedDict, total=False):
    """Answers of one person to several questions of a survey."""

    answers: Required[Sequence[WriterAnswer]]


class WrittenAnswer(Record):
    """An answer that a person has written in the voice of an agent."""

    agent: str
    as_of: Clock
    question: str
    answer: str
    by: str
    recorded_at: str


class WrittenAnswerList(Record):
    """A page of results; `next` is the address of the next one."""

    results: list[WrittenAnswer]
    next: str | None


class Questions(Record):
    """A question with the form of its answer."""

    name: str
    text: str
    category: str | None
    answer: Answer | None


class SettingsIn(TypedDict, total=False):
    """Settings that the history depends on; those not named keep their default."""

    preset: Literal["economy", "standard", "rich"]
    tick_seconds: int
    vision: int
    noticed_across_rooms: Literal["nothing", "dangers", "arrivals"]
    attention_bandwidth: int
    retention_hours: float
    recency_decay: float
    weight_recency: float
    weight_importance: float
    weight_relevance: float
    relevance_emphasis: Literal["none", "questions", "purposes"]
    query_words: Literal["alike", "rare first"]
    subject_share: float
    condensed_memories: Literal["kept", "left out"]
    distant_statements: Literal["kept", "left out"]
    focus: Literal["ignored", "first"]
    reflection_threshold: int
    outline_chunks_min: int
    outline_chunks_max: int
    action_minutes_min: int
    action_minutes_max: int
    retrieval_tokens: int
    actions_retrieval_tokens: int
    reuse_hours: Literal["none", "days", "always"]
    summary_refresh_hours: float
    wait_minutes: int
    reaction_pause_minutes: int
    situation_calls_per_hour: float
    decisions_per_hour: int
    sights_per_hour: int
    talk_reason_minutes: int
    talk_utterances_max: int
    hearing_distance: int
    words_per_minute: int
    users_patience_minutes: int


class Answer(Record):
    """Spoken words alone, if left out."""

    kind: Literal["open", "choice", "scale", "number"] | None
    options: list[str] | None
    minimum: int | None
    maximum: int | None
    low: str | None
    high: str | None
    unit: str | None
