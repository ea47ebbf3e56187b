"""The scheduler process, and the Celery tasks that execute turns and answer interviews."""
