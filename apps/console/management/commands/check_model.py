"""`manage.py check_model NAME`: what a model can do, and which settings are to be changed."""

import argparse
from typing import Any

from django.core.management.base import CommandError

from apps import wiring
from apps.django_support.service_command import ServiceCommand
from apps.simulation.engine.model_check import ModelCheck, check_model


class Command(ServiceCommand):
    help = "Check what a model and its server can do, by about ten calls, and what a day costs."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("name", help="a server of the settings, or server:model")

    def handle(self, *_arguments: Any, **options: Any) -> None:
        found = check_model(options["name"], wiring.LLM_TASK_NAMES)
        self.stdout.write(shown(found))
        if not found.is_usable:
            raise CommandError(f"Simulations cannot think with {found.model!r} as it is.")


def shown(found: ModelCheck) -> str:
    """Return the check as a table, with each fix below what it is for."""
    lines = [f"{found.model}, embedding {found.embedding}"]
    for one in found.capabilities:
        lines.append(f"{one.capability:<16}{one.works:<11}{one.told}")
        if one.fix:
            lines.append(f"{'':<16}fix        {one.fix}")
    if found.prompt_tokens_per_second and found.answer_tokens_per_second:
        lines.append(
            f"{'speed':<16}{'':<11}{found.prompt_tokens_per_second:,.0f} tokens of a prompt, "
            f"{found.answer_tokens_per_second:,.0f} of an answer a second"
        )
    day, cost = found.day, f"{found.day.cost:.4f}" if found.is_priced else "at an unknown price"
    minutes = "" if found.day_minutes is None else f", {found.day_minutes:,.0f} minutes"
    lines.append(
        f"{'a day':<16}{'':<11}of an agent: {day.calls} calls, {day.prompt_tokens} and "
        f"{day.completion_tokens} tokens, {cost}{minutes}"
    )
    lines.append(f"{'this check':<16}{'':<11}{found.tokens_used} tokens")
    return "\n".join(lines)
