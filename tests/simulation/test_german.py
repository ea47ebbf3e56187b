"""A morning in German: no phrase of a prompt or a memory is English, and all acts work.

The world is `tests/worlds/muehlbach`; the answers are scripted in German.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from string import Formatter

import pytest
from pytest_django import DjangoDbBlocker

from apps import wiring
from apps.agents.events import ActionBegan
from apps.agents.status import Standing, TieKind
from apps.dialogue.events import Agreed
from apps.dialogue.inputs import TakeawaysInput, UtteranceInput
from apps.dialogue.llm_tasks import TAKEAWAYS, UTTERANCE
from apps.dialogue.llm_tasks.takeaways import Takeaways
from apps.dialogue.llm_tasks.utterance import Utterance
from apps.interaction.commands import InterviewRequest, answer_interview, request_interview
from apps.interaction.llm_tasks import ANSWER, InterviewAnswer
from apps.interaction.models import InterviewRow
from apps.llm.answers.json_schema import descriptions_of
from apps.llm.calls.gateway import Models
from apps.llm.hashing_embedding import HashingEmbedding
from apps.llm.model_spec import ModelSpec
from apps.llm.port import Request
from apps.memory.events import MemoryFormed
from apps.memory.items import ImportanceInput, SummaryInput
from apps.memory.llm_tasks.facts import FACTS, FactsInput, LastingFactsFound, Tie
from apps.memory.llm_tasks.importance import IMPORTANCE, Importances
from apps.memory.llm_tasks.summaries import SUMMARIES, Summaries
from apps.planning import queries as plan_queries
from apps.planning.inputs import (
    ActivitiesAgreed,
    DayOutlineInput,
    HourActionsInput,
    HourlyPlanInput,
    OwnThoughtInput,
    RevisedHoursInput,
)
from apps.planning.llm_tasks.day_outline import DAY_OUTLINE, DayOutline, OutlineChunk
from apps.planning.llm_tasks.hour_actions import (
    HOUR_ACTIONS,
    ActWithAgent,
    HourAction,
    HourActions,
    in_turn,
)
from apps.planning.llm_tasks.hourly_plan import HOURLY_PLAN, HourlyPlan, hours_as_planned
from apps.planning.llm_tasks.own_thought import OWN_THOUGHT, OwnThought
from apps.planning.llm_tasks.revised_hours import REVISED_HOURS, HourChange, RevisedHours
from apps.reaction.inputs import DecisionInput, ObservedObject
from apps.reaction.llm_tasks import DECISION, Decision, go_on
from apps.simulation import queries
from apps.simulation.commands import interventions, object_state
from apps.simulation.commands.command_log import Issuer
from apps.simulation.models import SimulationRow
from apps.simulation.ports import Ports
from apps.world.folders import WorldFolders
from tests.support.builders import commitment_to, hour_action
from tests.support.llm_doubles import ScriptedModel
from tests.support.towns import ONE_BY_ONE, found, happened, live, shared
from tools.phrase_collection import read_catalogue

pytestmark = pytest.mark.django_db

WORLDS = Path(__file__).parents[1] / "worlds"
ANNA, BENNO = "Anna Fink", "Benno Marsch"
KITCHEN, BEDROOM = "Küche", "Schlafzimmer"
HOME = "Mühlenhaus"
STOVE = f"{HOME}: {KITCHEN}: Herd"
PACKING = "das Brot verpacken"
PUTTING_OUT = "das Feuer am Herd löschen"
ON_FIRE = "in Flammen"
TODAY = "2024-06-03"
USER = Issuer(by="ein Mensch")

# Frequent English words that German does not have, and English times of day.
ENGLISH = re.compile(
    r"\b(?:the|and|of|with|from|is|are|has|have|had|what|which|who|this|that|not|it|you|your|"
    r"their|does|did|nothing|nobody|yourself|yesterday|today|until|about|before|after|other|"
    r"agent|place|plan of)\b|\d [ap]m\b",
    re.IGNORECASE,
)
# What remains English in all languages: keys of answers and names of their fields.
KEYS = re.compile(r"„[a-z ]+“")


def action(
    description: str, minutes: int, area: str, *, talk: str = ""
) -> tuple[HourAction, int]:
    """Return an action without an object; `talk` is what the other one is asked."""
    act = ActWithAgent(kind="talk to", agent=BENNO, about=talk) if talk else None
    return hour_action(description, area=area, act=act), minutes


def outline(_: DayOutlineInput) -> DayOutline:
    chunks = (
        ("06:30", "aufstehen und frühstücken"),
        ("08:00", "Briefe schreiben und Brot backen"),
        ("12:00", "zu Mittag essen"),
        ("13:00", "aufräumen und lesen"),
        ("18:00", "zu Abend essen und ausruhen"),
    )
    return DayOutline(
        chunks=[
            OutlineChunk(starts=starts, activity=activity, place=HOME)
            for starts, activity in chunks
        ],
        bedtime="22:00",
        wakes="06:30",
    )


def actions(inputs: HourActionsInput) -> HourActions:
    """Return the actions of an hour: at breakfast Anna asks Benno for help."""
    area = next(one.name for one in inputs.areas if one.name == KITCHEN)
    asks = inputs.agent_name == ANNA and inputs.from_minute < 8 * 60 and not inputs.done
    asking = [action("spricht Benno an", 5, area, talk="ob er um halb neun hilft")]
    eaten = [action("sitzt in Ruhe am Tisch", 15, area), *(asking if asks else ())]
    return in_turn(inputs, [*eaten, action("räumt die Teller weg", 40, area)])


def utterance(inputs: UtteranceInput) -> Utterance:
    if not inputs.lines:
        return Utterance(
            utterance="Benno, hilfst du mir um halb neun mit dem Brot?", ends=False
        )
    return Utterance(utterance="Gern, um halb neun bin ich da.", ends=True)


def takeaways(inputs: TakeawaysInput) -> Takeaways:
    agreed = commitment_to(PACKING, TODAY, "08:30", "09:00", place=KITCHEN)
    return Takeaways(
        gist=f"{inputs.agent_name} und {inputs.other_name} sprachen über das Brot",
        learnt=(),
        agreed=(agreed,),
        declined=(),
        about_other="",
        for_plans="",
    )


def revision(inputs: RevisedHoursInput) -> RevisedHours:
    """Return the agreed time, or what is to be done at once."""
    if any(isinstance(reason, ActivitiesAgreed) for reason in inputs.reasons):
        times = ("08:30", "09:00", PACKING)
    else:
        start = inputs.now_minute
        times = (clock(start), clock(start + 20), PUTTING_OUT)
    starts, ends, activity = times
    change = HourChange(starts=starts, ends=ends, activity=activity, place=HOME)
    return RevisedHours(changes=[change], dropped=[])


def clock(minute: int) -> str:
    return f"{minute // 60:02d}:{minute % 60:02d}"


def decision(inputs: DecisionInput) -> Decision:
    for number, observed in enumerate(inputs.observed, start=1):
        if isinstance(observed, ObservedObject) and observed.is_alarming:
            return Decision(
                choice="act", observation=number, what=PUTTING_OUT, place="", minutes=20
            )
    return go_on(inputs)


def thought(inputs: OwnThoughtInput) -> OwnThought:
    return OwnThought(
        thought=f"{inputs.agent_name} will ein Lied lernen",
        deed="ein Lied lernen",
        place="",
        minutes_now=0,
    )


def summaries(inputs: SummaryInput) -> Summaries:
    name = inputs.agent_name
    return Summaries(
        core=f"{name} ist geduldig.",
        occupation=f"{name} lebt im {HOME}.",
        feeling=f"{name} freut sich.",
    )


def facts(inputs: FactsInput) -> LastingFactsFound:
    """Return what the first phrase says as occupation, and the last one as relationship."""
    tie = Tie(
        other=inputs.others[0],
        tie=TieKind.HOUSEMATE,
        standing=Standing.FRIENDLY,
        because_of=(len(inputs.statements),),
    )
    return LastingFactsFound(occupation=(1,), pursuits=(), ties=(tie,))


def hours(inputs: HourlyPlanInput) -> HourlyPlan:
    return hours_as_planned(inputs)


def importances(inputs: ImportanceInput) -> Importances:
    return Importances(importances=(2,) * len(inputs.memories))


@dataclass(frozen=True)
class Morning:
    """The simulation of the morning, the requests of its calls, and an interview."""

    row: SimulationRow
    asked: list[Request]
    interview: InterviewRow

    def memories(self, name: str) -> list[str]:
        """Return the memories of an agent by name, without those of its description."""
        slug = name.lower().replace(" ", "-")
        formed = happened(self.row, MemoryFormed)
        return [one.event.description for one in formed if one.stream == slug]

    def prompts(self, task: str = "") -> str:
        """Return all messages of the calls, or those of one task."""
        return "\n".join(
            message.content
            for request in self.asked
            if task in ("", request.task_name)
            for message in request.messages
        )


def lived() -> Morning:
    """Run from midnight to ten; at half past nine the stove burns."""
    model = ScriptedModel(
        {
            ANSWER.name: InterviewAnswer(answer="Ich schreibe Briefe."),
            DAY_OUTLINE.name: outline,
            DECISION.name: decision,
            FACTS.name: facts,
            HOUR_ACTIONS.name: actions,
            HOURLY_PLAN.name: hours,
            IMPORTANCE.name: importances,
            OWN_THOUGHT.name: thought,
            REVISED_HOURS.name: revision,
            SUMMARIES.name: summaries,
            TAKEAWAYS.name: takeaways,
            UTTERANCE.name: utterance,
        }
    )

    def scripted(spec: ModelSpec, seed: int) -> Models:
        embedding = HashingEmbedding(spec.embedding_dimensions)
        return Models(chat=model, embedding=embedding, seed=seed)

    ports = replace(wiring.ports(), worlds=WorldFolders(WORLDS), open_models=scripted)
    row = live(
        found(world="muehlbach", agents=None, ports=ports), f"{TODAY}T09:20", ports=ports
    )
    return _after_half_past_nine(row, ports, model)


def _after_half_past_nine(row: SimulationRow, ports: Ports, model: ScriptedModel) -> Morning:
    tick = queries.calendar_of(row.pk).tick_at(datetime.fromisoformat(f"{TODAY}T09:30"))
    object_state.request_object_state(
        ports, row.pk, object_name=STOVE, state=ON_FIRE, issuer=replace(USER, at_tick=tick)
    )
    interventions.request_intervention(
        row.pk,
        "benno-marsch",
        interventions.InnerVoiceBody(text="Du willst ein Lied lernen."),
        issuer=USER,
    )
    asked = InterviewRequest(
        agent="anna-fink", question="Was tust du?", remember=True, as_of_tick=row.committed_tick
    )
    interview = answer_interview(ports, request_interview(row.pk, asked, by=USER.by).pk)
    assert interview is not None
    row = live(row, f"{TODAY}T10:00", ONE_BY_ONE, ports=ports)
    return Morning(row, model.asked, interview)


@pytest.fixture(scope="module")
def morning(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Morning]:
    kept: list[Morning] = []

    def simulate() -> SimulationRow:
        kept.append(lived())
        return kept[0].row

    with_row = shared(django_db_blocker, simulate)
    with with_row:
        yield kept[0]


def english_in(text: str) -> list[str]:
    """Return the English words of the text with what stands around them."""
    plain = KEYS.sub("", text)
    return [plain[max(0, m.start() - 40) : m.end() + 40] for m in ENGLISH.finditer(plain)]


def english_fragments() -> Iterator[str]:
    """Yield what the phrases of the catalogue have between placeholders, of several words."""
    for message in read_catalogue("de"):
        texts: Mapping[bool, str] = {}
        if message.id and isinstance(message.id, str) and message.id != message.string:
            texts = {True: message.id}
        for text in texts.values():
            for fragment, *_ in Formatter().parse(text):
                if len(fragment.split()) > 1:
                    yield fragment.strip()


class TestPrompts:
    def test_have_no_english_words(self, morning: Morning) -> None:
        tasks = {request.task_name for request in morning.asked}
        assert len(tasks) == 12
        for task in sorted(tasks):
            assert english_in(morning.prompts(task)) == [], task

    def test_have_no_english_phrase_of_the_catalogue(self, morning: Morning) -> None:
        prompts = morning.prompts()
        assert [one for one in english_fragments() if one in prompts] == []

    def test_have_german_times(self, morning: Morning) -> None:
        assert "Montag, 3. Juni 2024" in morning.prompts(DAY_OUTLINE.name)
        assert "Es ist 06:30 Uhr, und Anna Fink ist gerade aufgewacht" in morning.prompts()
        assert re.search(r"Mo\. 3\. Juni 0[67]:\d\d Uhr: \w", morning.prompts())

    def test_describe_the_fields_of_answers_in_german(self, morning: Morning) -> None:
        for request in morning.asked:
            described = list(descriptions_of(request.json_schema))
            assert described
            assert english_in("\n".join(described)) == []


class TestMemories:
    def test_are_german(self, morning: Morning) -> None:
        for name in (ANNA, BENNO):
            memories = morning.memories(name)
            assert len(memories) > 20
            assert [found for one in memories for found in english_in(one)] == []

    def test_are_of_the_scripted_morning(self, morning: Morning) -> None:
        memories = morning.memories(ANNA)
        # An activity is one memory with its times (ADR 50).
        assert (
            f"von 08:00 Uhr bis 08:30 Uhr: {ANNA} sitzt in Ruhe am Tisch "
            "und räumt die Teller weg"
        ) in memories
        assert f"{BENNO} sitzt in Ruhe am Tisch" in memories
        assert any(
            one.startswith(
                f"{ANNA} plant für Montag, 3. Juni 2024, von 08:00 Uhr bis 12:00 Uhr"
            )
            for one in memories
        )

    def test_of_actions_are_german(self, morning: Morning) -> None:
        begun = {one.event.description for one in happened(morning.row, ActionBegan)}
        assert {"schläft", "räumt die Teller weg", f"spricht mit {BENNO}"} <= begun
        assert [found for one in begun for found in english_in(one)] == []


class TestAgreement:
    def test_is_remembered_and_planned(self, morning: Morning) -> None:
        agreed = happened(morning.row, Agreed)
        assert {one.stream for one in agreed} == {"anna-fink", "benno-marsch"}
        assert (
            f"{ANNA} hat zugesagt: {PACKING} (Ort: {KITCHEN}), Montag, 3. Juni, "
            "von 08:30 Uhr bis 09:00 Uhr"
        ) in morning.memories(ANNA)
        calendar = queries.calendar_of(morning.row.pk)
        for agent in ("anna-fink", "benno-marsch"):
            planned = plan_queries.items_between(
                morning.row.pk,
                agent,
                level="hour",
                from_tick=calendar.tick_at(datetime.fromisoformat(f"{TODAY}T08:30")),
                to_tick=calendar.tick_at(datetime.fromisoformat(f"{TODAY}T09:00")),
                as_of_tick=calendar.tick_at(datetime.fromisoformat(f"{TODAY}T08:30")),
            )
            assert [hour.description for hour in planned] == [PACKING]


@pytest.mark.django_db(transaction=True)
class TestTheRuleBasedModel:
    """It writes English, and reads typed values: a world in German does not disturb it."""

    def test_lives_in_the_world(self) -> None:
        ports = replace(wiring.ports(), worlds=WorldFolders(WORLDS))
        row = live(
            found(world="muehlbach", agents=None, ports=ports), f"{TODAY}T08:00", ports=ports
        )
        begun = {one.event.description for one in happened(row, ActionBegan)}
        assert "schläft" in begun
        assert len(begun) > 8
        formed = [one.event.description for one in happened(row, MemoryFormed)]
        assert any(" plant für Montag, 3. Juni 2024, von " in one for one in formed)


class TestUsers:
    def test_set_a_dangerous_state_in_german(self, morning: Morning) -> None:
        assert f"Herd: {ON_FIRE}" in [*morning.memories(ANNA), *morning.memories(BENNO)]
        assert f"entschlossen: {PUTTING_OUT}" in morning.prompts(REVISED_HOURS.name)

    def test_interview_and_are_remembered_in_german(self, morning: Morning) -> None:
        assert morning.interview.answer == "Ich schreibe Briefe."
        assert (
            f"Eine unbekannte Person sagte zu {ANNA}: „Was tust du?“ "
            f"{ANNA} antwortete: „Ich schreibe Briefe.“"
        ) in morning.memories(ANNA)

    def test_give_an_inner_voice(self, morning: Morning) -> None:
        assert f"{BENNO} will ein Lied lernen" in morning.memories(BENNO)
