"""Options of commands that are derived from request models."""

from argparse import ArgumentParser

from apps.django_support.service_command import add_options
from apps.simulation.engine.lifecycle import SimulationSpec


def test_a_list_option_that_is_given_twice_has_the_values_of_both() -> None:
    parser = ArgumentParser()
    add_options(parser, SimulationSpec, "agents")
    given = parser.parse_args(["--agents", "John Lin", "Mei Lin", "--agents", "Eddy Lin"])
    assert given.agents == ["John Lin", "Mei Lin", "Eddy Lin"]
    assert parser.parse_args([]).agents is None
