"""SIGTERM interrupts a command as Ctrl-C does, with a hint, and afterwards acts as before."""

import os
import signal
from contextlib import suppress

import pytest
from django.core.management.base import CommandError
from pydantic import TypeAdapter
from pydantic_core import core_schema

from apps.console.in_process import exit_at_termination

OPTION = "--search 17"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_an_interrupted_block_ends_with_the_status_of_the_signal(number: int) -> None:
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(CommandError) as ended, exit_at_termination(OPTION):
        os.kill(os.getpid(), number)
    name = signal.Signals(number).name
    assert str(ended.value) == f"interrupted by {name}; continue it with --search 17"
    assert ended.value.returncode == 128 + number
    assert signal.getsignal(signal.SIGTERM) is before


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_an_error_that_replaces_the_interruption_is_taken_for_it(number: int) -> None:
    class Interrupting:
        """A type whose schema is being built when the signal comes."""

        @classmethod
        def __get_pydantic_core_schema__(cls, *_: object) -> core_schema.CoreSchema:
            try:
                os.kill(os.getpid(), number)
            except KeyboardInterrupt as error:
                raise RuntimeError(f"no schema: {error}") from None
            raise AssertionError("no interruption came")

    with pytest.raises(CommandError) as ended, exit_at_termination(OPTION):
        TypeAdapter(Interrupting)
    assert str(ended.value).endswith("; continue it with --search 17")
    assert ended.value.returncode == 128 + number


def test_an_error_of_a_block_that_has_ended_its_work_itself_has_the_status() -> None:
    def pause() -> None:
        with suppress(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGTERM)
        raise CommandError("it is paused")

    with (
        pytest.raises(CommandError, match="it is paused") as ended,
        exit_at_termination(OPTION),
    ):
        pause()
    assert ended.value.returncode == 143


def test_an_error_without_a_signal_keeps_its_status() -> None:
    with pytest.raises(CommandError) as ended, exit_at_termination(OPTION):
        raise CommandError("it is paused")
    assert ended.value.returncode == 1
