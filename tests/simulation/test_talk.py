"""Two people talk: words take their time, reach whom they are for, and are remembered (D)."""

from datetime import datetime, timedelta

import pytest

from apps import wiring
from apps.agents import queries as agent_queries
from apps.agents.status import Acquaintance, LastTalk
from apps.dialogue import queries as dialogue_queries
from apps.dialogue.events import Agreed, Said, TalkEnded
from apps.dialogue.inputs import TakeawaysInput, UtteranceInput
from apps.dialogue.llm_tasks import TAKEAWAYS, UTTERANCE
from apps.dialogue.llm_tasks.takeaways import (
    Learnt,
    Takeaways,
)
from apps.dialogue.llm_tasks.utterance import Utterance
from apps.dialogue.utterances import Ending
from apps.eventlog.rebuild import check
from apps.memory import queries as memory_queries
from apps.memory.events import MemoryFormed, MemoryKind, MemoryOrigin, ScheduledActivity
from apps.planning import queries as plan_queries
from apps.reaction.events import ReactionDecided
from apps.reaction.inputs import DecisionInput, TalkReason
from apps.reaction.llm_tasks import DECISION, Decision, go_on
from apps.rule_model.model import Chance, TaskRule
from apps.simulation import queries
from apps.simulation.models import SimulationRow
from apps.simulation.ports import Ports
from tests.support.builders import commitment_to, speaks
from tests.support.inputs import agents_to_address
from tests.support.towns import (
    EIGHT_THREADS,
    LOCK_STEP,
    answering,
    found,
    happened,
    history_of,
    live,
    shared_fixture,
)

pytestmark = pytest.mark.django_db(transaction=True)

NEWS = "There is a concert at Johnson Park on Tuesday at five."
LONG = "word " * 60
COUPLE = ("John Lin", "Mei Lin")
TEN = "2023-02-13T10:00"


def john_speaks(inputs: DecisionInput, chance: Chance) -> Decision:
    """Let John open the talk, and nobody else."""
    return whoever_can(inputs, chance) if inputs.agent_name == "John Lin" else go_on(inputs)


def whoever_can(inputs: DecisionInput, chance: Chance) -> Decision:
    """Speak to whoever may be spoken to, unless the two have talked already."""
    for number, agent in agents_to_address(inputs):
        if agent.acquaintance.last_talk is None:
            return speaks(number, "tell of the concert", NEWS)
    return go_on(inputs)


def three_turns(inputs: UtteranceInput, chance: Chance) -> Utterance:
    """Tell the news, answer at length, say goodbye."""
    words = [NEWS, LONG, "See you there!"]
    return Utterance(utterance=words[len(inputs.lines)], ends=len(inputs.lines) == 2)


def keeps_the_news(inputs: TakeawaysInput, chance: Chance) -> Takeaways:
    """Remember what the other told, and agree to come."""
    told = inputs.lines[0].speaker == inputs.other_name
    return Takeaways(
        gist=f"{inputs.agent_name} talked with {inputs.other_name} about a concert",
        learnt=(Learnt(sentence=f"{inputs.other_name} told of a concert", line=1),)
        if told
        else (),
        agreed=(
            commitment_to(
                "listen to the concert", "2023-02-14", "17:00", "18:30", place="Johnson Park"
            ),
        )
        if told
        else (),
        declined=(),
        about_other=f"{inputs.agent_name} likes to talk with {inputs.other_name}",
        for_plans="",
    )


ANSWERS: dict[str, TaskRule] = {
    DECISION.name: john_speaks,
    UTTERANCE.name: three_turns,
    TAKEAWAYS.name: keeps_the_news,
}


@pytest.fixture
def talkative() -> Ports:
    """Ports onto a town in which John talks once to whom he meets, three utterances long."""
    return answering(ANSWERS)


morning = shared_fixture(lambda: live(found(agents=COUPLE), TEN, ports=answering(ANSWERS)))


@pytest.mark.django_db
class TestTalking:
    def test_goes_back_and_forth_at_the_pace_of_speech(self, morning: SimulationRow) -> None:
        said = happened(morning, Said)
        opener, answerer = said[0].stream, said[1].stream
        assert {opener, answerer} == {"john-lin", "mei-lin"}
        assert [one.stream for one in said[:3]] == [opener, answerer, opener]
        assert [one.event.number for one in said[:3]] == [1, 2, 3]
        # Eleven words are said in a tick of ten seconds, sixty in three.
        assert said[1].tick == said[0].tick + 1
        assert said[2].tick == said[1].tick + 3

    def test_is_seen_by_others_and_over_for_both(self, morning: SimulationRow) -> None:
        opening = happened(morning, Said)[0]
        doing = agent_queries.actions_between(
            morning.pk, opening.stream, from_tick=opening.tick, to_tick=opening.tick
        )
        assert doing[-1].description.startswith("talking with ")
        ended = happened(morning, TalkEnded)
        assert {one.stream for one in ended[:2]} == {"john-lin", "mei-lin"}
        assert {one.event.why for one in ended[:2]} == {Ending.SAID_ALL}
        voices = dialogue_queries.voices(morning.pk, from_tick=ended[1].tick)
        assert not any(talk.stands_at(ended[1].tick) for talk in voices.talks)

    def test_is_remembered_with_the_words_that_it_was_heard_in(
        self, morning: SimulationRow
    ) -> None:
        opening = happened(morning, Said)[0]
        listener = opening.event.to
        memories = list(
            memory_queries.list_memories(
                morning.pk,
                listener,
                as_of_tick=morning.committed_tick,
                kinds=[MemoryKind.DIALOGUE, MemoryKind.PLAN, MemoryKind.REFLECTION],
            )
        )
        told = [memory for memory in memories if "told of a concert" in memory.description]
        assert len(told) == 1
        assert told[0].perceived, "what is told counts towards reflection"
        causes = {
            one.event.description: one.cause
            for one in wiring.event_store().read(morning.pk)
            if one.stream == listener and hasattr(one.event, "description")
        }
        assert causes[told[0].description] == opening.place
        thought = next(memory for memory in memories if "likes to talk" in memory.description)
        assert told[0].number in thought.evidence

    def test_leaves_a_commitment_that_stands_in_the_log_and_the_memory(
        self, morning: SimulationRow
    ) -> None:
        [agreed, *_] = happened(morning, Agreed)
        assert (agreed.event.day, agreed.event.from_minute) == ("2023-02-14", 17 * 60)
        [formed, *_] = [
            one.event
            for one in happened(morning, MemoryFormed)
            if one.event.origin is MemoryOrigin.AGREED
        ]
        assert (formed.kind, formed.subject) == (MemoryKind.PLAN, agreed.event.other)
        assert formed.scheduled == ScheduledActivity(
            activity="listen to the concert",
            place="Johnson Park",
            starts=datetime(2023, 2, 14, 17),
            ends=datetime(2023, 2, 14, 18, 30),
        )
        assert formed.description.endswith(
            "agreed to listen to the concert at Johnson Park on Tuesday, February 14, "
            "from 5:00 pm to 6:30 pm"
        )

    def test_leaves_memories_that_say_how_they_came_about(self, morning: SimulationRow) -> None:
        [agreed, *_] = happened(morning, Agreed)
        origins = {
            one.event.description: one.event.origin
            for one in happened(morning, MemoryFormed)
            if one.stream == agreed.stream and one.event.subject == agreed.event.other
        }
        name, other = ("John Lin", "Mei Lin")
        if agreed.stream == "mei-lin":
            name, other = other, name
        assert origins[f"{name} talked with {other} about a concert"] == (
            MemoryOrigin.CONVERSATION
        )
        assert origins[f"{other} told of a concert"] == MemoryOrigin.LEARNED
        assert origins[f"{name} likes to talk with {other}"] == MemoryOrigin.OPINION

    def test_lets_the_day_go_on_as_planned(self, morning: SimulationRow) -> None:
        for agent in ("john-lin", "mei-lin"):
            hours = plan_queries.items_between(
                morning.pk,
                agent,
                level="hour",
                from_tick=0,
                to_tick=morning.committed_tick,
                as_of_tick=morning.committed_tick,
            )
            assert hours, "there is a plan"
            last = agent_queries.actions_between(
                morning.pk,
                agent,
                from_tick=morning.committed_tick,
                to_tick=morning.committed_tick,
            )
            assert not last[-1].description.startswith("talking")


class TestHistory:
    def test_writes_one_history_in_any_order_and_the_rows_of_a_rebuild(
        self, talkative: Ports
    ) -> None:
        lock_step = live(found(agents=COUPLE), TEN, LOCK_STEP, ports=talkative)
        threads = live(found(agents=COUPLE), TEN, EIGHT_THREADS, ports=talkative)
        assert happened(threads, Said)
        assert history_of(threads.pk) == history_of(lock_step.pk)
        assert check(wiring.event_store(), threads.pk).problems == ()


class TestAcquaintance:
    def test_has_the_home_and_what_the_two_are_to_each_other(self) -> None:
        told: list[Acquaintance] = []

        def listening(inputs: UtteranceInput, chance: Chance) -> Utterance:
            told.append(inputs.acquaintance)
            return three_turns(inputs, chance)

        def deciding(inputs: DecisionInput, chance: Chance) -> Decision:
            told.extend(mei.acquaintance for _, mei in agents_to_address(inputs))
            return john_speaks(inputs, chance)

        rules: dict[str, TaskRule] = {UTTERANCE.name: listening, DECISION.name: deciding}
        live(found(agents=COUPLE), TEN, ports=answering({**ANSWERS, **rules}))
        assert len(told) > len(COUPLE)
        assert {one.home for one in told} == {"Lin family's house"}
        kin = {phrase for one in told for phrase in one.facts}
        assert len(kin) > 1
        assert all("lives with" in phrase or "Lin" in phrase for phrase in kin)

    def test_has_time_and_gist_of_the_same_conversation(self) -> None:
        # John and Mei talk; later John makes remarks that want no answer.
        known: list[tuple[datetime, LastTalk]] = []

        def speaks_twice(inputs: DecisionInput, chance: Chance) -> Decision:
            address = agents_to_address(inputs) if inputs.agent_name == "John Lin" else []
            last = [mei.acquaintance.last_talk for _, mei in address]
            known.extend((inputs.now, talk) for talk in last if talk is not None)
            if address and len(known) < 4:
                has_talked = any(last)
                return speaks(
                    address[0][0],
                    "talk",
                    "Never mind." if has_talked else NEWS,
                    ends=has_talked,
                )
            return go_on(inputs)

        def last_words(inputs: TakeawaysInput, chance: Chance) -> Takeaways:
            said = keeps_the_news(inputs, chance)
            return said.model_copy(update={"gist": inputs.lines[-1].text})

        rules: dict[str, TaskRule] = {
            TAKEAWAYS.name: last_words,
            DECISION.name: speaks_twice,
            UTTERANCE.name: three_turns,
        }
        settings = {
            "reaction_pause_minutes": 180,  # one of two has the turn for so long
            "situation_calls_per_hour": 60,
            "retention_hours": 0.1,
        }
        row = live(found(agents=COUPLE, settings=settings), TEN, ports=answering(rules))
        ended = [
            queries.calendar_of(row.pk).time_at(one.tick)
            for one in happened(row, TalkEnded)
            if one.stream == "john-lin"
        ]
        assert len({talk.gist for _, talk in known}) == 2, "a conversation, then remarks"
        for now, talk in known:
            last = max(one for one in ended if one < now)
            assert talk.minutes_ago == (now - last) // timedelta(minutes=1)
            assert talk.gist == "See you there!" if last == ended[0] else "Never mind."


class TestATalkForLater:
    def test_begins_when_the_two_have_long_been_in_view(self) -> None:
        # Mei sees Eddy in the hall, means to ask him at breakfast, and does.
        asked: list[tuple[datetime, DecisionInput]] = []

        def mei_asks(inputs: DecisionInput, chance: Chance) -> Decision:
            if inputs.agent_name != "Mei Lin":
                return go_on(inputs)
            for number, agent in agents_to_address(inputs):
                if agent.name != "Eddy Lin" or agent.acquaintance.last_talk is not None:
                    continue
                asked.append((inputs.now, inputs))
                meant = [one for one in agent.reasons if one.kind is TalkReason.INTENDED]
                return speaks(
                    number,
                    "ask Eddy to play tonight",
                    "Eddy, will you play for us tonight?" if meant else "",
                    choice="talk" if meant else "later",
                )
            return go_on(inputs)

        def eddy_agrees(inputs: UtteranceInput, chance: Chance) -> Utterance:
            return Utterance(utterance="Sure, mom, at eight.", ends=True)

        rules: dict[str, TaskRule] = {DECISION.name: mei_asks, UTTERANCE.name: eddy_agrees}
        agents = (*COUPLE, "Eddy Lin")
        often = {"reaction_pause_minutes": 180, "situation_calls_per_hour": 6}
        town = found(agents=agents, settings=often)
        row = live(town, TEN, ports=answering({**ANSWERS, **rules}))
        question, answer = happened(row, Said)
        assert (question.stream, question.event.to) == ("mei-lin", "eddy-lin")
        assert question.event.text == "Eddy, will you play for us tonight?"
        assert (answer.stream, answer.event.text) == ("eddy-lin", "Sure, mom, at eight.")
        decided = [one for one in happened(row, ReactionDecided) if one.stream == "mei-lin"]
        choices = [one.event.choice for one in decided if one.event.about == "eddy-lin"]
        assert choices[:2] == ["later", "talk"]
        assert len(asked) == 2, "one call to put it off, one to ask"
        [(first, _), (second, _)] = asked
        assert timedelta(minutes=10) <= second - first <= timedelta(hours=1)


class TestNotTalking:
    def test_is_a_setting(self, talkative: Ports) -> None:
        silent = found(agents=COUPLE, settings={"talk_utterances_max": 0})
        assert happened(live(silent, TEN, ports=talkative), Said) == []

    def test_comes_to_an_end_when_the_bound_is_reached(self) -> None:
        def endless(inputs: UtteranceInput, chance: Chance) -> Utterance:
            return Utterance(utterance=f"And another thing: {len(inputs.lines)}.", ends=False)

        row = live(
            found(agents=COUPLE, settings={"talk_utterances_max": 5}),
            TEN,
            ports=answering({**ANSWERS, UTTERANCE.name: endless}),
        )
        said = happened(row, Said)
        assert [one.event.number for one in said] == [1, 2, 3, 4, 5]
        assert said[4].event.ends

    def test_is_begun_by_one_of_two_who_come_into_view_of_each_other(self) -> None:
        # They wake in one tick and would both speak: one notices the other one first.
        at_once = answering({**ANSWERS, DECISION.name: whoever_can})
        row = live(found(agents=COUPLE), TEN, ports=at_once)
        opening, answer, *_ = happened(row, Said)
        assert (opening.event.number, answer.event.number) == (1, 2)
        assert opening.tick < answer.tick
        assert {opening.stream, answer.stream} == {"john-lin", "mei-lin"}
        assert answer.event.conversation == opening.event.conversation
        endings = {one.event.why for one in happened(row, TalkEnded)}
        assert Ending.GAVE_WAY not in endings

    def test_is_a_remark_that_wants_no_answer(self) -> None:
        def hardly_heard(inputs: DecisionInput, chance: Chance) -> Decision:
            said = {"say": "I shall be there at 7.", "ends": True}
            return john_speaks(inputs, chance).model_copy(update=said)

        row = live(
            found(agents=COUPLE),
            TEN,
            ports=answering({**ANSWERS, DECISION.name: hardly_heard}),
        )
        [opening] = happened(row, Said)
        ended = happened(row, TalkEnded)
        assert {one.stream for one in ended} == {"john-lin", "mei-lin"}
        assert {one.tick for one in ended} == {opening.tick + 1}
        for agent, other in (("john-lin", "Mei Lin"), ("mei-lin", "John Lin")):
            [gist] = [
                memory
                for memory in memory_queries.list_memories(
                    row.pk, agent, as_of_tick=row.committed_tick, kinds=[MemoryKind.DIALOGUE]
                )
                if memory.origin == MemoryOrigin.CONVERSATION
            ]
            assert other in gist.description
        [agreed] = happened(row, Agreed)
        assert agreed.stream == "mei-lin", "what she was told is a commitment"
