"""Templates whose sections are ordered for prefix caches (ADR 33)."""

from collections.abc import Collection
from datetime import date
from itertools import takewhile
from pathlib import Path

import pytest

from apps.llm.port import Messages
from apps.llm.prompts.sections import (
    AGENT,
    COMMON,
    DAY,
    InvalidPromptTemplate,
)
from apps.llm.prompts.template import PromptTemplate
from apps.llm.prompts.values import PromptValue, agent_name, data, game_date, number

SHARED = {
    COMMON: "Answer as asked at the end.",
    AGENT: 'You play $agent_name.\n<quoted source="summary">\n$summary\n</quoted>',
    DAY: "It is $date.",
}
DAYS = (date(2023, 2, 13), date(2023, 2, 14))
TRUSTED = ("agent_name", "date", "count")
SECTIONED = "note\n## common\n## agent\n## day\n## task\n"


def parse(text: str, trusted: Collection[str] = TRUSTED, **shared: str) -> PromptTemplate:
    texts = SHARED | {f"## {name}": section for name, section in shared.items()}
    return PromptTemplate.parse(text, trusted=trusted, shared=texts, name="mood.md")


def filled(template: PromptTemplate, name: str, day: int, count: int) -> Messages:
    values: dict[str, PromptValue] = {
        "agent_name": agent_name(name),
        "summary": data(f"{name} is kind."),
        "date": game_date(DAYS[day]),
        "count": number(count),
    }
    return template.fill(values)


class TestOrder:
    def test_is_common_agent_day_task(self) -> None:
        template = parse(f"{SECTIONED}Name $count moods.")
        system, user = filled(template, "Klaus Mueller", 0, 3)
        assert system.content == "Answer as asked at the end."
        assert user.content == (
            'You play Klaus Mueller.\n<quoted source="summary">\nKlaus Mueller is kind.\n'
            "</quoted>\n\nIt is Monday, February 13, 2023.\n\nName 3 moods."
        )
        assert template.note == "note"
        assert template.data == {"summary"}

    def test_gives_prompts_a_common_beginning_up_to_what_differs(self) -> None:
        moods = parse(f"{SECTIONED}Name $count moods.")
        plans = parse(f"{SECTIONED}Which $count plans are there?")
        one = text_of(filled(moods, "Klaus", 0, 3))
        assert shared_with(one, filled(plans, "Klaus", 0, 3)).endswith("2023.\n\n")
        assert shared_with(one, filled(moods, "Klaus", 1, 3)).endswith("It is ")
        assert shared_with(one, filled(moods, "Maria", 0, 3)).endswith("You play ")

    def test_may_end_early(self) -> None:
        template = parse("## common\n## task\nSo, $count?", ("count",))
        assert template.fill({"count": number(3)})[1].content == "So, 3?"

    @pytest.mark.parametrize(
        "headings",
        [
            ("## task",),
            ("## agent", "## task"),
            ("## common", "## day", "## task"),
            ("## common", "## day", "## agent", "## task"),
            ("## common", "## task", "## agent"),
            ("## common", "## common", "## task"),
            (),
        ],
    )
    def test_is_the_only_one(self, headings: tuple[str, ...]) -> None:
        with pytest.raises(InvalidPromptTemplate, match=r"mood.md has the sections .* write"):
            parse("\n".join([*headings, "So?"]))

    def test_ends_with_a_question(self) -> None:
        with pytest.raises(InvalidPromptTemplate, match="no text under “## task”"):
            parse(SECTIONED)


class TestSharedSections:
    def test_have_their_text_in_one_file(self) -> None:
        with pytest.raises(
            InvalidPromptTemplate, match=r"all tasks share that of sections/day"
        ):
            parse("## common\n## agent\n## day\nIt rains.\n## task\nSo?")

    def test_must_exist(self, tmp_path: Path) -> None:
        (tmp_path / "mood.md").write_text("## common\n## task\nSo?", encoding="utf-8")
        with pytest.raises(InvalidPromptTemplate, match=r"needs sections/common.md"):
            PromptTemplate.load("mood", trusted=(), folder=tmp_path, set_name="en")

    @pytest.mark.parametrize(
        ("section", "variable"), [("common", "agent_name"), ("agent", "date"), ("day", "count")]
    )
    def test_have_no_variable_that_changes_more_often(
        self, section: str, variable: str
    ) -> None:
        with pytest.raises(
            InvalidPromptTemplate,
            match=f"sections/{section}.md has {variable}, which may change",
        ):
            parse(f"{SECTIONED}So?", **{section: f"About ${variable}."})

    def test_quote_data_like_all_others(self) -> None:
        with pytest.raises(InvalidPromptTemplate, match="summary outside a quoted section"):
            parse(f"{SECTIONED}$count", agent="$agent_name: $summary")

    def test_change_the_version(self) -> None:
        text = f"{SECTIONED}$count"
        versions = {
            parse(text).version,
            parse(text, agent=f"{SHARED[AGENT]} Be brief.").version,
            parse(f"{text}?").version,
        }
        assert len(versions) == 3


def text_of(messages: Messages) -> str:
    return "\n".join(message.content for message in messages)


def shared_with(one: str, other: Messages) -> str:
    pairs = zip(one, text_of(other), strict=False)
    return "".join(left for left, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
