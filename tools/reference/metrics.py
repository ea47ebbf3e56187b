"""The reference page of the metrics, written from their definitions."""

from collections.abc import Iterable
from pathlib import Path

from django.conf import settings

from apps.metrics.definitions import Definition, Source

PAGE = Path(settings.BASE_DIR) / "docs" / "reference" / "metrics.md"
COMMAND = "manage.py describe_metrics"
_PAGE = """\
# Metrics

Written by `{command}` from `apps/metrics/definitions.py`; a test checks that it is current.

Metrics are exposed in the text format of Prometheus, or as OpenMetrics if the scraper asks for
it. Names end in their unit; durations are in seconds.

## Endpoints

| process | address | metrics |
|---|---|---|
| web | `/metrics` on the port of the service | those of the database, and those of all \
web processes of this service |
| worker, scheduler | `/metrics` on METRICS_HOST:METRICS_PORT, if METRICS_PORT is set | \
those of this process |

With `make run` all processes share their metrics, and `/metrics` of the service shows them
together. Elsewhere, processes of one machine share them if PROMETHEUS_MULTIPROC_DIR names the
same folder for each; the folder must be empty when they start. Metrics of the Python process
(`process_…`, `python_…`) are exposed by processes that share with no other.

Three kinds of clients may read them: a process of the same machine that is no proxy, a client
with the bearer token of the setting METRICS_TOKEN, and (at `/metrics` of the service) an
administrator.

```yaml
scrape_configs:
  - job_name: smallville-web
    authorization:
      credentials_file: /etc/prometheus/smallville-token # METRICS_TOKEN
    static_configs:
      - targets: ["smallville.example.org:443"]
    scheme: https
  - job_name: smallville-worker
    authorization:
      credentials_file: /etc/prometheus/smallville-token
    dns_sd_configs:
      - names: ["worker", "scheduler"] # services of docker-compose, with METRICS_PORT=9100
        type: A
        port: 9100
```

The web process answers only to names in ALLOWED_HOSTS: for a target inside the network, as
`web:8000`, add that name.

## Sources

A metric of the **database** has the same value at every web process: with several web
containers as targets, take `max without (instance) (…)`, not the sum. Its counters hold the
totals of the whole installation, deleted simulations included, counted from the version that
introduced them; they never fall. While the database does not answer they are missing, and
`smallville_database_up` is 0.

A metric of a **process** starts at zero with the process: use `rate()` and sum over the
instances.

| metric | type | source |
|---|---|---|
{table}

{sections}
"""


def page_of(definitions: Iterable[Definition]) -> str:
    """Return the page, metrics in the given order."""
    listed = list(definitions)
    return _PAGE.format(
        command=COMMAND,
        table="\n".join(
            f"| [{each.name}](#{each.name}) | {each.kind} | {each.source} |" for each in listed
        ),
        sections="\n\n".join(map(_section, listed)),
    )


def _section(definition: Definition) -> str:
    source = "the database" if definition.source is Source.DATABASE else "each process"
    lines = [
        f"### {definition.name}",
        "",
        f"{definition.meaning}",
        "",
        f"{definition.kind.capitalize()}, from {source}.",
    ]
    lines += [f"- `{label}`: {meaning}" for label, meaning in definition.labels.items()]
    if definition.buckets:
        lines.append(f"- buckets: {', '.join(f'{bound:g}' for bound in definition.buckets)}")
    if len(lines) > 5:
        lines.insert(5, "")
    return "\n".join(lines)
