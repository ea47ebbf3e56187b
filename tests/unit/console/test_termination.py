"""SIGTERM ends a command as an exception does, and afterwards as before."""

import os
import signal

import pytest

from apps.console.termination import exit_at_termination


def test_a_terminated_block_ends_with_the_status_of_the_signal() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(SystemExit) as ended, exit_at_termination():
        os.kill(os.getpid(), signal.SIGTERM)
    assert ended.value.code == 143
    assert signal.getsignal(signal.SIGTERM) is before
