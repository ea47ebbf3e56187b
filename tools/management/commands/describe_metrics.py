"""`manage.py describe_metrics`: write docs/reference/metrics.md from the code, or check it."""

from apps.metrics.definitions import DEFINITIONS
from tools.reference.metrics import COMMAND, PAGE, page_of
from tools.reference.page_command import ReferencePageCommand


class Command(ReferencePageCommand):
    help = "Write the reference page of the metrics."
    page, name = PAGE, COMMAND

    def content(self) -> str:
        return page_of(DEFINITIONS)
