"""Checks that the broker of BROKER_URL can be used, before a process connects to it."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register
from kombu.connection import Connection

from apps.kernel.errors import DomainError

WITHOUT_ACKNOWLEDGEMENT = frozenset({"filesystem", "memory"})
"""Transports that lose a message if its process ends."""
EXAMPLES = (
    "set redis://HOST:6379/0 for Redis or Valkey, amqp://USER:PASSWORD@HOST:5672// for "
    "RabbitMQ, or unset it to have the queue in the database."
)


class BrokerUnusable(DomainError):
    """BROKER_URL names no broker that this installation can use."""


def ensure_broker_usable() -> None:
    """Check the form of BROKER_URL, and that the packages of its broker are installed.

    A broker that does not answer is no error: it may be starting.

    :raises BrokerUnusable: with what to do.
    """
    url = settings.BROKER_URL
    if not url:
        return
    scheme, separator, rest = url.partition("://")
    if not separator or not rest or scheme in WITHOUT_ACKNOWLEDGEMENT:
        raise BrokerUnusable(f"BROKER_URL is not the URL of a broker: {EXAMPLES}")
    try:
        # The transport imports the client of its broker, and reads the address.
        _ = Connection(url).transport.default_connection_params
    except KeyError:
        raise BrokerUnusable(
            f'BROKER_URL begins with "{scheme}", which Celery does not know: {EXAMPLES}'
        ) from None
    except (ImportError, NameError) as error:  # a NameError where kombu passes over the import
        raise BrokerUnusable(
            f"BROKER_URL needs a package that is not installed ({error}): install it, or "
            f"{EXAMPLES}"
        ) from error
    except ValueError as error:
        raise BrokerUnusable(
            f"BROKER_URL is not the URL of a broker ({error}): {EXAMPLES}"
        ) from error


@register
def broker_is_usable(**_ignored: Any) -> list[CheckMessage]:
    """Return an error if the broker cannot be used."""
    try:
        ensure_broker_usable()
    except BrokerUnusable as error:
        return [Error(error.message, id="smallville.E002")]
    return []
