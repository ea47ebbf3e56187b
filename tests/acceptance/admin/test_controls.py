"""Controls of the admin: commands with author and reason, for those with the right."""

import re

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.test import Client

from apps.access.rights import Role
from apps.interaction.models import InterviewRow
from apps.simulation.models import CommandRow, SimulationRow, Status
from tests.acceptance.admin.conftest import Staff, staff_with
from tests.support.towns import found

STOVE = "Isabella Rodriguez's apartment: kitchen: stove"
DANGEROUS = "<img src=x onerror=alert(1)>"


@pytest.fixture
def operator(db: None) -> Staff:
    """Return an administrator at a simulation of the test's own, which it may change."""
    return Staff(User.objects.create_superuser("operator"), found())


class TestCommands:
    def test_of_an_inner_voice_have_author_and_reason(self, operator: Staff) -> None:
        text = "You are going to run for mayor"
        assert (
            operator.control(
                "inner-voice", agent="klaus-mueller", text=text, reason="to see who hears of it"
            )
            == 302
        )
        command = CommandRow.objects.get(simulation_id=operator.simulation.pk)
        assert (command.kind, command.agent) == ("inner-voice", "klaus-mueller")
        assert (command.by, command.reason) == ("operator", "to see who hears of it")
        assert "to see who hears of it" in operator.page("controls/")

    def test_of_a_state_show_text_as_text(self, operator: Staff) -> None:
        operator.control("object-state", object=STOVE, state=DANGEROUS, reason=DANGEROUS)
        command = CommandRow.objects.get(simulation_id=operator.simulation.pk)
        assert (command.by, command.body["object"]) == ("operator", STOVE)
        page = operator.page("controls/")
        assert DANGEROUS not in page
        assert "&lt;img src=x" in page

    def test_need_a_reason(self, operator: Staff) -> None:
        fields = {"object": STOVE, "state": "burning", "reason": ""}
        assert operator.control("object-state", **fields) == 200
        assert not CommandRow.objects.filter(simulation_id=operator.simulation.pk).exists()

    def test_say_what_is_wrong(self, operator: Staff) -> None:
        form = {
            "control": "object-state",
            "object-state-object": "the volcano",
            "object-state-state": "burning",
            "object-state-reason": "a drill",
        }
        response = operator.client.post(f"{operator.base}controls/", form)
        assert response.status_code == 422
        assert "volcano" in response.content.decode().partition("errorlist")[2]

    @pytest.mark.parametrize(
        ("control", "fields", "told"),
        [
            ("run", {"until": "noon"}, "until"),
            ("run", {"pace": "0"}, "pace"),
            ("inner-voice", {"agent": "klaus-mueller", "text": "a" * 1_001}, "text"),
            ("fork", {"at": "2023-02-30T08:00", "name": "Once more"}, "at"),
        ],
    )
    def test_say_at_its_field_what_is_wrong(
        self, operator: Staff, control: str, fields: dict[str, str], told: str
    ) -> None:
        form = {"control": control, f"{control}-reason": "a drill"} | {
            f"{control}-{name}": value for name, value in fields.items()
        }
        page = operator.client.post(f"{operator.base}controls/", form).content.decode()
        field = page.partition(f'name="{control}-{told}"')[2]
        assert "errorlist" in field.partition("</div>")[0]
        assert not LogEntry.objects.exists()

    def test_have_letters_in_composed_form(self, operator: Staff) -> None:
        fields = {"at": "2023-02-13T00:00", "name": "Cafe\u0301", "reason": "a drill"}
        assert operator.control("fork", **fields) == 302
        assert SimulationRow.objects.filter(name="Caf\u00e9").exists()


class TestRuns:
    def test_and_pauses_are_recorded_with_author_and_reason(self, operator: Staff) -> None:
        operator.control("run", until="2023-02-13T07:00", pace="60", reason="the breakfast")
        row = SimulationRow.objects.get(pk=operator.simulation.pk)
        assert (row.status, row.pace, row.until_tick) == (Status.RUNNING, 60, 2_520)
        operator.control("pause", reason="lunch of the operator")
        row.refresh_from_db()
        assert (row.status, row.reason) == (Status.PAUSING, "lunch of the operator")
        entries = LogEntry.objects.order_by("pk").values_list(
            "user__username", "change_message"
        )
        assert list(entries) == [
            ("operator", "Run (until 2023-02-13T07:00, pace 60.0): the breakfast"),
            ("operator", "Pause: lunch of the operator"),
        ]

    def test_into_the_past_are_refused(self, operator: Staff) -> None:
        fields = {"until": "2023-02-13T00:00", "pace": "", "reason": "again"}
        assert operator.control("run", **fields) == 409
        assert not LogEntry.objects.exists()


class TestInterviews:
    def test_show_the_answer_and_its_prompt(self, operator: Staff) -> None:
        fields = {
            "agent": "isabella-rodriguez",
            "question": "What are you planning?",
            "persona": "a reporter",
            "reason": "curiosity",
        }
        assert operator.control("interview", **fields) == 302
        row = InterviewRow.objects.get(simulation_id=operator.simulation.pk)
        assert (row.by, row.reason, row.state) == ("operator", "curiosity", "done")
        page = operator.page(f"interviews/{row.pk}/")
        assert row.answer.replace("'", "&#x27;") in page
        assert f"/calls/{row.model_calls[0]}/" in page


class TestForks:
    def test_share_the_past_in_pages(self, lived: SimulationRow, db: None) -> None:
        guest = staff_with(Role.GUEST, lived)
        fields = {"at": "2023-02-13T09:00:00", "name": "Once more", "reason": "a comparison"}
        assert guest.control("fork", **fields) == 302
        branch = SimulationRow.objects.get(name="Once more")
        assert branch.owner == guest.user
        assert LogEntry.objects.get().change_message.endswith("a comparison")
        assert str(branch.pk) in guest.page()
        there = Staff(guest.user, branch)
        assert str(lived.pk) in there.page()
        past = {"agents/isabella-rodriguez/", "conversations/", "calls/", "events/"}
        for page in past:
            shared = guest.page(f"{page}?at=2023-02-13T09:00:00")
            own = there.page(f"{page}?at=2023-02-13T09:00:00")
            links = re.findall(r"/events/\d[^?]*", shared)
            assert links == re.findall(r"/events/\d[^?]*", own)
        event = re.search(r"events/\d+/[a-z-]+/\d+/", there.page("events/"))
        assert event is not None
        there.page(event[0])

    def test_of_a_later_moment_are_refused(self, operator: Staff) -> None:
        fields = {"at": "2023-02-14T09:00:00", "name": "Once more", "reason": "a comparison"}
        assert operator.control("fork", **fields) == 422
        assert not SimulationRow.objects.filter(name="Once more").exists()


class TestRights:
    PAGES = ("", "controls/", "events/", "conversations/", "calls/", "agents/maria-lopez/")

    def test_a_visitor_logs_in_first(self, operator: Staff, client: Client) -> None:
        for page in self.PAGES:
            response = client.get(f"{operator.base}{page}")
            assert response.status_code == 302
            assert response["Location"].startswith("/admin/login/")

    def test_staff_without_a_role_sees_nothing(self, operator: Staff) -> None:
        stranger = staff_with(None, operator.simulation)
        assert str(operator.simulation.pk) not in stranger.page("/admin/")
        for page in self.PAGES:
            stranger.page(page, status=404)

    def test_a_guest_reads_and_does_not_command(self, operator: Staff) -> None:
        guest = staff_with(Role.GUEST, operator.simulation)
        assert str(operator.simulation.pk) in guest.page("/admin/")
        for page in self.PAGES:
            guest.page(page)
        controls = guest.page("controls/")
        assert "<textarea" not in controls
        assert 'value="fork"' in controls
        fields = {"object": STOVE, "state": "burning", "reason": "a drill"}
        assert guest.control("object-state", **fields) == 403
        assert not CommandRow.objects.filter(simulation_id=operator.simulation.pk).exists()

    def test_a_collaborator_commands(self, operator: Staff) -> None:
        collaborator = staff_with(Role.COLLABORATOR, operator.simulation)
        fields = {"object": STOVE, "state": "burning", "reason": "a drill"}
        assert collaborator.control("object-state", **fields) == 302
        assert (
            CommandRow.objects.get(simulation_id=operator.simulation.pk).by
            == collaborator.user.get_username()
        )
