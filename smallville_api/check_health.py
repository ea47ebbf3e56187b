"""`python -m smallville_api.check_health`: exit status 0 if the web server here is healthy.

For the health check of a container: it loads neither Django nor any package. The service
answers probes under any host's name, whatever ALLOWED_HOSTS says
(`apps.api.operations.health`).
"""

import http.client
import os
import sys

HOST = "127.0.0.1"
PORT_DEFAULT = "8000"
TIMEOUT_SECONDS = 5.0
BODY_CHARACTERS_MAX = 500


def main() -> int:
    """Request /health; return the exit status, and write the problem to standard error."""
    port = os.environ.get("PORT") or PORT_DEFAULT
    try:
        status, body = request_health(int(port))
    except (OSError, ValueError, http.client.HTTPException) as error:
        sys.stderr.write(f"http://{HOST}:{port}/health does not answer: {error}\n")
        return 1
    if status != http.HTTPStatus.OK:
        sys.stderr.write(f"status {status}: {body[:BODY_CHARACTERS_MAX]}\n")
        return 1
    return 0


def request_health(port: int) -> tuple[int, str]:
    """Return status and body of /health."""
    connection = http.client.HTTPConnection(HOST, port, timeout=TIMEOUT_SECONDS)
    try:
        connection.request("GET", "/health")
        answer = connection.getresponse()
        return answer.status, answer.read().decode(errors="replace")
    finally:
        connection.close()


if __name__ == "__main__":
    sys.exit(main())
