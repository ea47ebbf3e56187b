"""`python -m tests.model_server`: a server with batches, random answers; prints its URL.

It ends with the process that has started it.
"""

import os
import sys
import time

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "smallville_api.settings")
django.setup()

from tests.model_server.random_answers import random_answer  # noqa: E402  # it needs the apps
from tests.model_server.server import ModelServer  # noqa: E402

LOOKS_EVERY_SECONDS = 0.5

starter = os.getppid()
with ModelServer(random_answer) as server:
    sys.stdout.write(f"{server.url}\n")
    sys.stdout.flush()
    while os.getppid() == starter:
        time.sleep(LOOKS_EVERY_SECONDS)
