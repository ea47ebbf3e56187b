"""The command `experiment` finds what the service finds for the user that it names."""

from io import StringIO
from pathlib import Path

import pytest
import yaml
from django.core.management import CommandError, call_command

from apps.access.commands import create_user
from apps.evaluation.questionnaires.typed_questions import add_questionnaire, load_questionnaire

pytestmark = pytest.mark.django_db
DESIGN = {
    "name": "moods",
    "agents": 1,
    "seeds": [1],
    "moments": [10],
    "measures": [{"survey": {"questionnaire": "mood"}}],
}
QUESTIONNAIRE = {
    "name": "mood",
    "title": "Mood",
    "questions": [{"name": "now", "text": "How do you feel?"}],
}


@pytest.fixture
def design(tmp_path: Path) -> Path:
    """Give a design that asks the questionnaire of Isabella."""
    file = tmp_path / "mood.yaml"
    file.write_text(yaml.safe_dump(QUESTIONNAIRE))
    add_questionnaire(create_user("isabella"), load_questionnaire(file))
    return changed(tmp_path)


def changed(folder: Path, **changes: object) -> Path:
    file = folder / "design.yaml"
    file.write_text(yaml.safe_dump(DESIGN | changes))
    return file


def estimated(file: Path, **options: str) -> str:
    printed = StringIO()
    call_command("experiment", "estimate", file, **options, stdout=printed)
    return printed.getvalue()


def test_questionnaire_of_the_owner_is_found(design: Path) -> None:
    assert "1 measured runs and 0 of shared pasts" in estimated(design, owner="isabella")
    with pytest.raises(CommandError, match=r"'mood' of the service; .*--owner names the user"):
        estimated(design)


def test_refusal_says_how_to_get_what_is_missing(design: Path, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"did you mean 'isabella'\?; .*create_user isabela"):
        estimated(design, owner="isabela")
    for models in (["openai"], {"big": "openai:gpt-4o"}):
        with pytest.raises(CommandError, match="OPENAI_API_KEY"):
            estimated(changed(tmp_path, models=models), owner="isabella")
    with pytest.raises(CommandError, match="did you mean 'smallville'"):
        estimated(changed(tmp_path, worlds=["smalville"]), owner="isabella")
