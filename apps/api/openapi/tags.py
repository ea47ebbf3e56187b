"""The texts of the document: summary, description, license, tags."""

from typing import Any

from django.conf import settings

SUMMARY = "Simulations of generative agents, driven over HTTP."
_DESCRIPTION = """
The agents of a simulation perceive, remember, plan, act, talk and reflect. A program creates
simulations, runs them, reads what happened and why, and takes part.

**Authentication.** `Authorization: Bearer <token>`, or the session cookie of the admin's login.
Only health, schema and docs need none.

**Time.** A simulation advances in ticks, of ten game seconds unless it was created otherwise.
Game times are ISO 8601 without a zone (`2023-02-13T06:55:00`): a simulation has one clock.
Reads answer from committed ticks, which never change.

**Lists** are pages, `{results, next}`; follow `next` as it stands until it is null.

**Long work** gets the response 202 before it is done: read the simulation, or the command's
`status_url`, for its outcome.

**Problems** are `application/problem+json` (RFC 9457). The examples of an operation's
responses are named for the codes that it can give; `code` is stable, the texts are for
people. Besides these any address may answer 404 `not-found`, 405 `method-not-allowed`, 400
`bad-request`, 408 `request-timeout`, 413 `body-too-large`, 414 `address-too-long`, 431
`headers-too-large`, 500 `internal-error`, 503 `too-many-connections` and 503
`service-stopping`.

**Growth.** Within this version members, operations, codes and values of enumerations are
added, never renamed: treat an unknown one as unknown, not as an error.

**X-Request-ID** names a request in the service's log; send your own, or take the one in the
response.
"""
DESCRIPTION = "\n\n".join(" ".join(part.split()) for part in _DESCRIPTION.split("\n\n"))
SERVERS = [
    {
        "url": f"{settings.URL_PREFIX}/",
        "description": "The service that gave you this document.",
    }
]
LICENSE = {"name": "MIT", "identifier": "MIT"}

TAGS: dict[str, str] = {
    "simulations": "Create, run and pause simulations; the outcomes of commands.",
    "town": "The world and what is visible in it: the state that a front end draws, the map, "
    "conversations.",
    "agents": "Agents: identity, actions, relationships; interviews and interventions; adding "
    "and removing agents.",
    "entering the town": "Control an agent, or enter as a visitor.",
    "minds": "Memories, retrieval with its scores, plans, reflections.",
    "evaluation": "Questionnaires and surveys, counts and measures: they change no history.",
    "log": "Committed events in canonical order, and their provenance.",
    "models": "Calls of language models, their answers and costs.",
    "access": "The members of a simulation and their roles.",
    "operation": "Health, metrics, and this document.",
}
"""Every tag with its description; the document lists them in this order."""


def info_members() -> dict[str, Any]:
    """Return the members of `info` besides title and version."""
    return {"summary": SUMMARY, "description": DESCRIPTION, "license": LICENSE}
