"""From what an agent said to why: by real links, in few clicks."""

import re

import pytest

from apps.dialogue.models import UtteranceRow
from apps.eventlog.models import EventRow
from apps.llm.models import ModelCallRow
from apps.memory.models import MemoryRow
from tests.acceptance.admin.conftest import Staff
from tests.acceptance.admin.reading import Page

PAGES_FOLLOWED = 60


@pytest.fixture
def said(operator: Staff) -> UtteranceRow:
    rows = UtteranceRow.objects.filter(simulation_id=operator.simulation.pk)
    return rows.exclude(memories=[]).order_by("tick")[1]


class TestWhyWasThisSaid:
    def test_is_answered_two_clicks_from_a_conversation(
        self, operator: Staff, said: UtteranceRow
    ) -> None:
        conversation = Page(operator.page(f"conversations/{said.conversation}/"))
        event = conversation.to(f"events/{said.event}/", "Why was this said?")
        call = Page(operator.page(event)).to("/calls/", "dialogue.utterance")
        prompt = operator.page(call)
        # The prompt has what was said before, as quoted data, and the answer is what was said.
        before = UtteranceRow.objects.filter(
            simulation_id=said.simulation_id, conversation=said.conversation, number=1
        ).get()
        assert "quoted: " in prompt
        assert before.text.replace("'", "&#x27;") in prompt
        assert said.text.replace("'", "&#x27;") in prompt

    def test_leads_from_the_index_to_the_prompt(self, operator: Staff) -> None:
        # Simulations, overview, conversations, a conversation, an utterance, its prompt.
        overview = Page(operator.page("/admin/")).to(operator.base)
        conversations = Page(operator.page(overview)).to("/conversations/", "Conversations")
        address = Page(operator.page(conversations)).to(r"/conversations/\d+/")
        event = Page(operator.page(address)).to("/events/", "Why was this said?")
        assert Page(operator.page(event)).to(r"/calls/\d")

    def test_has_the_memories_with_their_scores(
        self, operator: Staff, said: UtteranceRow
    ) -> None:
        event = operator.page(f"events/{said.event}/")
        retrieval = operator.page(Page(event).to("/events/", "with their scores"))
        for part in ("recency", "importance", "relevance"):
            assert f'class="bar {part}"' in retrieval


class TestEveryKindOfEvent:
    def test_has_a_page(self, operator: Staff) -> None:
        rows = EventRow.objects.filter(simulation_id=operator.simulation.pk).order_by("-tick")
        kinds = set(rows.order_by().values_list("type", flat=True))
        assert len(kinds) > 15
        for kind in sorted(kinds):
            event = rows.filter(type=kind)[0]
            assert kind in operator.page(f"events/{event.event_id}/")

    def test_has_a_title_in_words(self, operator: Staff, said: UtteranceRow) -> None:
        first_words = " ".join(said.text.split()[:4]).replace("'", "&#x27;")
        name = operator.names[said.agent]
        assert f"<h1>{name} said: {first_words}" in operator.page(f"events/{said.event}/")


class TestEvidence:
    def test_is_linked_in_both_directions(self, operator: Staff) -> None:
        insight = MemoryRow.objects.filter(
            simulation_id=operator.simulation.pk, kind="reflection"
        ).exclude(evidence=[])[0]
        path = f"agents/{insight.agent}/memories/"
        evidence = Page(operator.page(f"{path}{insight.number}/"))
        below = evidence.to(f"{path}{insight.evidence[0]}/")
        assert Page(operator.page(below)).to(f"{path}{insight.number}/")

    def test_leads_to_the_event_and_the_call(self, operator: Staff) -> None:
        insight = MemoryRow.objects.filter(
            simulation_id=operator.simulation.pk, kind="reflection"
        )[0]
        memory = Page(operator.page(f"agents/{insight.agent}/memories/{insight.number}/"))
        event = operator.page(memory.to(f"/events/{insight.event_id}/"))
        assert insight.description.replace("'", "&#x27;") in event
        call = memory.to(r"/calls/\d")
        call_id = call.partition("/calls/")[2].rstrip("/")
        assert ModelCallRow.objects.filter(call_id=call_id).exists()
        assert insight.description.replace("'", "&#x27;") in operator.page(call)


class TestLinks:
    def test_lead_to_pages(self, operator: Staff) -> None:
        """Follow the links of each kind of page, and each found page once."""
        waiting = [operator.base]
        seen: set[str] = set()
        kinds: set[str] = set()
        while waiting and len(seen) < PAGES_FOLLOWED:
            address = waiting.pop(0)
            path = address.partition("?")[0]
            kind = re.sub(r"\d+", "N", re.sub(r"(agents|events/\d+)/[a-z-]+", r"\1/A", path))
            if path in seen or kind in kinds:
                continue
            seen.add(path)
            kinds.add(kind)
            page = Page(operator.page(address), address)
            waiting += [href for href, _ in page.links if href.startswith(operator.base)]
            assert page.styled == 0, "the content security policy is kept without inline styles"
            assert None not in page.scripts, "scripts are files"
        assert len(kinds) > 12

    def test_of_tables_lead_to_the_same_pages(self, operator: Staff) -> None:
        for table in ("memory/memoryrow", "dialogue/utterancerow", "llm/modelcallrow"):
            links = Page(operator.page(f"/admin/{table}/")).links
            inspected = [href for href, _ in links if href.startswith(operator.base)]
            assert inspected
            operator.page(inspected[-1])


class TestEventLog:
    def test_shows_an_event_with_what_it_caused(self, operator: Staff) -> None:
        caused = EventRow.objects.filter(
            simulation_id=operator.simulation.pk, type="agents.action-began.v1"
        ).exclude(cause="")[0]
        assert Page(operator.page(f"events/{caused.event_id}/")).to(f"/events/{caused.cause}/")
        assert f"/events/{caused.event_id}/" in operator.page(f"events/{caused.cause}/")

    def test_filters_by_stream_and_type(self, operator: Staff) -> None:
        page = operator.page("events/?agent=maria-lopez&type=memory.formed.v1")
        rows = re.findall(r'<th scope="row"[^>]*><a href="[^"]*/events/\d+/([a-z-]+)/', page)
        assert rows
        assert set(rows) == {"maria-lopez"}
        assert "<td>agents.action-began.v1</td>" not in page
