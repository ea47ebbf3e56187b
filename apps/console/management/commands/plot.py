"""`manage.py plot SIMULATION NAME`: write a plot of a simulation as SVG."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any
from uuid import UUID

from apps import wiring
from apps.console.moments import committed_tick_of
from apps.django_support.service_command import ServiceCommand
from apps.evaluation.plots.plot_catalogue import PLOTS, draw_plot
from apps.evaluation.plots.plot_request import PlotRequest
from apps.evaluation.social.news import news_of
from apps.simulation import queries


class Command(ServiceCommand):
    help = "Write a plot of a simulation as of a moment as SVG."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("simulation", type=UUID)
        parser.add_argument("name", choices=list(PLOTS), metavar="name", help=", ".join(PLOTS))
        parser.add_argument(
            "--at", help="a game time such as 2023-02-13T20:00 or a tick; the committed tick"
        )
        parser.add_argument(
            "--output", type=Path, metavar="FILE", help="instead of printing it"
        )
        parser.add_argument(
            "--topic", nargs="+", default=[], help="of news: words by which one speaks of it"
        )
        parser.add_argument(
            "--about", nargs="+", default=[], help="of news: words that tell it from others"
        )
        parser.add_argument(
            "--asks", nargs="+", default=[], help="of news: phrases that only ask about it"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        path: Path | None = options["output"]
        svg = draw_plot(PLOTS.item(options["name"]), _request(options))
        if path is None:
            self.stdout.write(svg.decode())
            return
        path.write_bytes(svg)
        self.stdout.write(f"{path}: {path.stat().st_size:,} bytes")


def _request(options: dict[str, Any]) -> PlotRequest:
    """Return the request of the options.

    :raises DomainError: if there is no such simulation.
    :raises CommandError: if the moment is not committed.
    """
    row = queries.get_simulation(options["simulation"])
    topic = options["topic"]
    return PlotRequest(
        simulation_id=row.pk,
        calendar=queries.calendar_of(row.pk),
        as_of_tick=committed_tick_of(row, options["at"]),
        read_log=lambda key, tick: wiring.event_store().read(key, until_tick=tick),
        news=news_of(topic, options["about"], options["asks"], ", ".join(topic))
        if topic
        else None,
    )
