"""Registers the app that holds the engine."""

from django.apps import AppConfig


class SimulationConfig(AppConfig):
    """The engine."""

    name = "apps.simulation"
    label = "simulation"
    verbose_name = "Simulations"
