"""Entry point of the web process: `smallville_api.wsgi:application`."""

import os

from django.core.wsgi import get_wsgi_application

from apps.django_support.schema_version import ensure_schema_or_exit
from apps.embedded_postgres.environment import ensure_database_url_or_exit

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "smallville_api.settings")
ensure_database_url_or_exit()
application = get_wsgi_application()
ensure_schema_or_exit()
