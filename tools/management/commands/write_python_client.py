"""`manage.py write_python_client`: write the generated half of clients/python."""

from typing import Any

from apps.api.operations.documentation import schema_document
from apps.django_support.service_command import ServiceCommand
from tools.python_client import FOLDER, write


class Command(ServiceCommand):
    help = "Write types.py and operations.py of the Python client from the OpenAPI document."

    def handle(self, *_args: Any, **_options: Any) -> None:
        write(schema_document())
        self.stdout.write(f"wrote {FOLDER}")
