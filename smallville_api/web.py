"""`python -m smallville_api.web`: the web process, for every way of running the service."""

import argparse
import os
import sys

from apps.embedded_postgres.environment import ensure_database_url_or_exit
from apps.metrics.directory import ensure_named_directory

PORT_DEFAULT = 8000


def main(arguments: list[str]) -> int:
    """Serve on the address of the command line; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m smallville_api.web", description=__doc__)
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
    parser.add_argument("--port", type=int, default=PORT_DEFAULT, help="port to listen on")
    options = parser.parse_args(arguments)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "smallville_api.settings")
    ensure_database_url_or_exit()
    # Each of several web processes that exits because of it would be restarted without end.
    ensure_named_directory()
    # These imports read the settings, which need the database URL.
    from apps.api.server.connections import TooFewDescriptors  # noqa: PLC0415
    from apps.api.server.run import run_web  # noqa: PLC0415

    try:
        run_web(options.host, options.port)
    except TooFewDescriptors as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
