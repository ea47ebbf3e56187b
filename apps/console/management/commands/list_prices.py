"""`manage.py list_prices [--old]`: the prices of models with source and date."""

import argparse
from typing import Any

from django.conf import settings
from django.utils import timezone

from apps.django_support.service_command import ServiceCommand
from apps.llm.prices import PRICE_DAYS_MAX, Price
from apps.llm.servers.configuration import hosted_servers


class Command(ServiceCommand):
    help = "List the prices of a million tokens by server and model, with date and source."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--old",
            action="store_true",
            help=f"only those that were read more than {PRICE_DAYS_MAX} days ago",
        )

    def handle(self, *_arguments: Any, **options: Any) -> None:
        today = timezone.now().date()
        prices: dict[str, Price] = {
            f"{name}:{model}": of_model.price
            for name, server in {**hosted_servers(), **settings.MODEL_SERVERS}.items()
            for model, of_model in server.models.items()
            if of_model.price is not None
        }
        for model, price in sorted({**prices, **settings.MODEL_PRICES}.items()):
            is_old = price.is_old(today)
            if is_old or not options["old"]:
                age = f"older than {PRICE_DAYS_MAX} days" if is_old else ""
                of = f"{price.prompt} {price.cached_prompt} {price.completion}".split()
                line = (model, *of, price.as_of or "no date", price.source, age)
                self.stdout.write("\t".join(map(str, line)).rstrip())
