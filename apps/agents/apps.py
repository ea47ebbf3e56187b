"""Registers the app that holds the people."""

from django.apps import AppConfig


class AgentsConfig(AppConfig):
    """People: who, where, doing what."""

    name = "apps.agents"
    label = "agents"
    verbose_name = "People"
