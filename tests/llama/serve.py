"""Serves a model of noise by llama.cpp, in a process of its own, until its input ends.

    python tests/llama/serve.py FOLDER

Needs requirements-llama.txt and nothing of the service; prints the address once it serves.
"""

import sys
from pathlib import Path

import xllamacpp
from model_file import CONTEXT, write_model

AT_ONCE = 4
THREADS = 2


def main() -> None:
    """Write the model, serve it, say where."""
    path = Path(sys.argv[1]) / "noise.gguf"
    write_model(path)
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(path)
    parameters.model_alias = {"noise"}
    parameters.n_ctx = AT_ONCE * CONTEXT
    parameters.n_parallel = AT_ONCE
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


if __name__ == "__main__":
    main()
