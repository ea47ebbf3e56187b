"""Entry point of the web process: `smallville_api.asgi:application`."""

import os
import warnings

from apps.api.handler import application as make_application
from apps.embedded_postgres.environment import ensure_database_url_or_exit

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "smallville_api.settings")
ensure_database_url_or_exit()

# Style sheets come from whitenoise, which reads files synchronously; they are small.
warnings.filterwarnings(
    "ignore", message="StreamingHttpResponse must consume synchronous iterators"
)
application = make_application()
