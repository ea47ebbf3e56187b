"""What holds for the source itself."""

import subprocess
import sys
from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.db.models import Model
from django.test import RequestFactory

ROOT = Path(__file__).parent.parent.parent
OURS = [config for config in apps.get_app_configs() if config.name.startswith("apps.")]


class TestLayers:
    def test_are_kept(self) -> None:
        # In a process of its own: it disables all loggers of the process that it runs in.
        checked = subprocess.run(
            [
                sys.executable,
                "-c",
                "from importlinter.cli import lint_imports_command as c; c()",
            ],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert checked.returncode == 0, checked.stdout + checked.stderr


class TestMigrations:
    @pytest.mark.parametrize("label", [config.label for config in OURS])
    def test_lie_at_the_top_level_for_every_app_with_rows(self, label: str) -> None:
        # Django's own check says "no changes" for an app whose package is missing.
        if not list(apps.get_app_config(label).get_models()):
            return
        folder = ROOT / "migrations" / label
        assert (folder / "__init__.py").exists()
        assert list(folder.glob("0001_*.py"))
        assert settings.MIGRATION_MODULES[label] == f"migrations.{label}"


class TestAdmin:
    @pytest.mark.parametrize(
        "model",
        [model for config in OURS for model in config.get_models()],
        ids=lambda model: model._meta.label,
    )
    def test_shows_every_row_and_edits_none(self, model: type[Model]) -> None:
        admin.autodiscover()
        page = admin.site.get_model_admin(model)
        request = RequestFactory().get("/")
        request.user = get_user_model()(is_superuser=True, is_staff=True)
        assert page.list_display != ("__str__",)
        assert not page.has_change_permission(request)
        assert not page.has_delete_permission(request)


class TestRepository:
    @pytest.fixture
    def files(self) -> list[str]:
        listed = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard"],  # noqa: S607
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        return listed.stdout.splitlines()

    def test_holds_no_lock_file_that_names_an_index(self, files: list[str]) -> None:
        assert not {"uv.lock", "package-lock.json"} & {Path(name).name for name in files}

    def test_names_no_index_in_its_requirements(self) -> None:
        for name in ("requirements.txt", "requirements-dev.txt"):
            assert "index-url" not in (ROOT / name).read_text()
