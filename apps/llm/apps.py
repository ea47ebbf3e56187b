"""The Django app `llm`."""

from django.apps import AppConfig


class LlmConfig(AppConfig):
    """The gateway to language models, its call log and the vectors."""

    name = "apps.llm"
    label = "llm"
    verbose_name = "Language model"
