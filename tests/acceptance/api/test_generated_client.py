"""A Python client made from the schema works; `make static` checks its types."""

from pathlib import Path

import pytest
from django.contrib.auth.models import User

from apps.access.commands import issue_token
from apps.api.operations.documentation import schema_document
from tests.support.generated_client import PACKAGE, PROGRAM, make_client, run
from tests.support.serving import HOST, served

made = pytest.fixture(scope="module")(make_client)


class TestGeneratedClient:
    def test_has_a_function_for_every_operation(self, made: Path) -> None:
        modules = {file.stem for file in (made / PACKAGE / "api").glob("*/*.py")}
        operations = [
            operation["operationId"]
            for methods in schema_document()["paths"].values()
            for operation in methods.values()
        ]
        assert {name.replace("_", "") for name in modules - {"__init__"}} == {
            name.lower() for name in operations
        }
        run(made, "-m", "compileall", "-q", PACKAGE)

    @pytest.mark.django_db(transaction=True)
    def test_founds_a_town_and_lives_with_it(self, made: Path, tmp_path: Path) -> None:
        token = issue_token(User.objects.create_user("isabella"), "a test")
        with served(tmp_path, token) as service:
            service.processes.start_worker("worker")
            service.processes.start_scheduler()
            run(made, str(PROGRAM), f"http://{HOST}:{service.port}", token)
