"""`manage.py describe_metrics`: write docs/reference/metrics.md from the code, or check it."""

from apps.console.metrics_reference import COMMAND, PAGE, page_of
from apps.console.reference_page import ReferencePageCommand
from apps.metrics.definitions import DEFINITIONS


class Command(ReferencePageCommand):
    help = "Write the reference page of the metrics."
    page, name = PAGE, COMMAND

    def content(self) -> str:
        return page_of(DEFINITIONS)
