"""Entry point of the web process: `smallville_api.asgi:application`."""

import multiprocessing
import os
import signal
import warnings

from apps.api.http.asgi import application as make_application
from apps.django_support.schema_version import ensure_schema_or_exit
from apps.embedded_postgres.environment import ensure_database_url_or_exit
from apps.embedded_postgres.launch import die_with_parent
from apps.metrics.directory import share_metrics

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "smallville_api.settings")
parent = multiprocessing.parent_process()
if parent is not None:
    # One of several web processes: it ends with the first one, and frees the port.
    die_with_parent(parent.pid or 0)
    # A scrape reaches any of the processes, and gets the metrics of all.
    share_metrics(parent.pid or 0)
ensure_database_url_or_exit()

# Style sheets come from whitenoise, which reads files synchronously; they are small.
warnings.filterwarnings(
    "ignore", message="StreamingHttpResponse must consume synchronous iterators"
)
application = make_application()
try:
    ensure_schema_or_exit()
except SystemExit:
    if parent is not None and parent.pid:
        # uvicorn would start another process at once, without end.
        os.kill(parent.pid, signal.SIGTERM)
    raise
# Imported late: the client chooses its storage when it is imported.
from apps.metrics.instruments import start_sampling  # noqa: E402

start_sampling("web")
