"""The migrations recorded in a database are compared with those of the code."""

import re

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test.utils import CaptureQueriesContext

from apps.django_support.schema_version import (
    SchemaNewer,
    SchemaOlder,
    ensure_schema_matches,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def recorder() -> MigrationRecorder:
    return MigrationRecorder(connection)


class TestEnsureSchemaMatches:
    def test_accepts_the_schema_of_this_code(self) -> None:
        with CaptureQueriesContext(
            connection,
        ) as asked:
            ensure_schema_matches()
        of_migrations = [query for query in asked if "django_migrations" in query["sql"]]
        assert len(of_migrations) == 1
        assert len(asked) == 2, "the other one asks whether there is such a table"

    def test_refuses_one_that_lacks_a_migration(self, recorder: MigrationRecorder) -> None:
        recorder.record_unapplied("simulation", "0001_initial")
        with pytest.raises(SchemaOlder, match=re.escape("run `manage.py migrate` first")):
            ensure_schema_matches()

    def test_refuses_one_with_a_migration_of_a_later_release(
        self, recorder: MigrationRecorder
    ) -> None:
        recorder.record_applied("simulation", "9999_of_a_later_release")
        with pytest.raises(SchemaNewer, match=r"simulation\.9999_of_a_later_release"):
            ensure_schema_matches()

    def test_leaves_apps_alone_that_are_not_installed(
        self, recorder: MigrationRecorder
    ) -> None:
        recorder.record_applied("something_else", "0001_initial")
        ensure_schema_matches()
