"""`manage.py describe_llm_tasks`: write docs/reference/llm_tasks.md, or check it."""

from apps import wiring
from tools.reference.llm_tasks import COMMAND, PAGE, page_of
from tools.reference.page_command import ReferencePageCommand


class Command(ReferencePageCommand):
    help = "Write the reference page of all LLM tasks."
    page, name = PAGE, COMMAND

    def content(self) -> str:
        return page_of(wiring.LLM_TASKS)
