"""`manage.py operate OPERATION NAME=VALUE…`: carry out an operation of the HTTP interface."""

import json
import re
from argparse import ArgumentParser
from pathlib import Path
from typing import Any
from urllib.parse import quote

import yaml
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management.base import CommandError
from rest_framework.test import APIClient

from apps.api import urls
from apps.api.http.parsers import ARCHIVE_TYPE
from apps.api.http.views import SAFE
from apps.django_support.service_command import ServiceCommand, members_of_file
from apps.kernel.names import names_there_are

_PARAMETER = re.compile(r"{(\w+)}")


class Command(ServiceCommand):
    """Checks, rights, bounds and messages are those of the interface; no server is needed."""

    help = "Carry out an operation of the HTTP interface in this process."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the operation, its values and its body."""
        parser.add_argument(
            "operation", help="its id in the OpenAPI document, such as forkSimulation"
        )
        parser.add_argument(
            "values",
            nargs="*",
            metavar="NAME=VALUE",
            help="names of the path; parameters of a GET, else members of the body in YAML",
        )
        parser.add_argument(
            "--body", type=Path, metavar="FILE", help="a YAML or JSON file, or an archive"
        )
        parser.add_argument("--user", help="the name of a user; default: an administrator")
        parser.add_argument(
            "--output", type=Path, metavar="FILE", help="write the response to a file"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Print or write the response; a problem is the error of the command."""
        method, route = _operation(options["operation"])
        values = dict(map(_named, options["values"]))
        path = _PARAMETER.sub(lambda found: quote(_taken(values, found[1]), safe="/"), route)
        response = _respond(_user(options["user"]), method, path, values, options["body"])
        if response.status_code >= 400:
            raise CommandError(_problem(response.getvalue()))
        output: Path | None = options["output"]
        if output is not None:
            with output.open("wb") as file:
                file.writelines(response)
            self.stdout.write(f"{output}: {output.stat().st_size:,} bytes")
        elif response["Content-Type"].startswith("application/json"):
            content = json.loads(response.getvalue())
            self.stdout.write(json.dumps(content, ensure_ascii=False, indent=1))
        else:
            self.stdout.write(response.getvalue().decode())


def _operation(operation_id: str) -> tuple[str, str]:
    """Return the method and the route of an operation.

    :raises CommandError: if there is none of the id.
    """
    found = {
        one: (method, view.route())
        for view in urls.views()
        for method in view.http_method_names
        if (one := getattr(getattr(view, method, None), "operation_id", ""))
    }
    if operation_id not in found:
        raise CommandError(
            f"there is no operation {operation_id!r}; "
            f"{names_there_are(sorted(found), operation_id)}"
        )
    return found[operation_id]


def _named(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign:
        raise CommandError(f"{text!r} is no NAME=VALUE")
    return name, value


def _taken(values: dict[str, str], name: str) -> str:
    if name not in values:
        raise CommandError(f"the path needs {name}=VALUE")
    return values.pop(name)


def _user(name: str | None) -> User:
    """Return the user, or the first administrator.

    :raises CommandError: if there is none.
    """
    users = User.objects.filter(is_active=True).order_by("pk")
    chosen = users.filter(is_superuser=True) if name is None else users.filter(username=name)
    user = chosen.first()
    if user is None:
        missing = "administrator" if name is None else f"user {name!r}"
        raise CommandError(f"there is no {missing}; `manage.py create_user` creates one")
    return user


def _respond(
    user: User, method: str, path: str, values: dict[str, str], body: Path | None
) -> Any:
    host = next((one for one in settings.ALLOWED_HOSTS if one[:1] not in "*."), "localhost")
    client = APIClient(SERVER_NAME=host)
    client.force_authenticate(user)
    if method.upper() in SAFE:
        query = {name: _listed(value) for name, value in values.items()}
        return client.get(path, query, secure=settings.BEHIND_TLS)
    if body is not None and body.suffix == ".zip":
        content, kind = body.read_bytes(), ARCHIVE_TYPE
    else:
        given = {} if body is None else members_of_file(body)
        given |= {name: yaml.safe_load(value) for name, value in values.items()}
        content, kind = json.dumps(given, default=_iso).encode(), "application/json"
    sent: Any = content if content != b"{}" else b""  # its type is that of a text only
    return client.generic(
        method.upper(), path, sent, kind if sent else "", secure=settings.BEHIND_TLS
    )


def _listed(value: str) -> list[str]:
    """Return the items of a list in brackets, else the value."""
    if value.startswith("["):
        return [str(one) for one in yaml.safe_load(value)]
    return [value]


def _iso(value: Any) -> str:
    """Return the game time of YAML as the interface takes it."""
    return str(value.isoformat())


def _problem(content: bytes) -> str:
    """Return the words of a problem document."""
    problem = json.loads(content)
    faults = [
        f"{one.get('pointer') or one.get('parameter') or ''}: {one['detail']}"
        for one in problem.get("errors") or ()
    ]
    return "; ".join([str(problem["detail"] or problem["title"]), *faults])
