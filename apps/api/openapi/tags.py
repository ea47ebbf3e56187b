"""The texts of the document: summary, description, license, tags."""

from typing import Any

SUMMARY = "A town of generative agents, driven over HTTP."
_DESCRIPTION = """
People of a simulated town perceive, remember, plan, act, talk and reflect; programs found
towns, let their time run, read what happened and why, and take part.

**Who asks.** `Authorization: Bearer <token>`, or the session cookie of the admin's login.
Only health, schema and docs are open.

**Time.** A simulation lives in ticks, of ten game seconds unless it was founded otherwise.
Game times are ISO 8601 without a zone (`2023-02-13T06:55:00`): a town has one clock. What
is read is what is settled, which nothing can change any more.

**Lists** are pages, `{results, next}`; follow `next` as it stands until it is null.

**Long work** is answered by 202 before it is done: look at the simulation, or at the
command's `status_url`, to see what has become of it.

**Problems** are `application/problem+json` (RFC 9457). The examples of an operation's
answers are named for the codes that it can give; `code` is stable, the words are for
people. Besides these any address may answer 404 `not-found`, 405 `method-not-allowed`, 400
`bad-request`, 408 `request-timeout`, 413 `body-too-large`, 414 `address-too-long`, 431
`headers-too-large`, 500 `internal-error` and 503 `too-many-connections`.

**Growth.** Within this version members, operations, codes and values of enumerations are
added, never renamed: take what you do not know as unknown, not as wrong.

**X-Request-ID** names a request in the service's log; send your own, or take the one in the
answer.
"""
DESCRIPTION = "\n\n".join(" ".join(part.split()) for part in _DESCRIPTION.split("\n\n"))
SERVERS = [{"url": "/", "description": "The service that gave you this document."}]
LICENSE = {"name": "MIT", "identifier": "MIT"}

TAGS: dict[str, str] = {
    "simulations": "Found towns, let their time run and rest, see what became of commands.",
    "town": "What is there to be seen: the state that a front-end draws, the world, "
    "its map, who talked with whom.",
    "people": "Who lives there, what they do, what is between them; interviews, what they are "
    "told, coming and leaving.",
    "entering the town": "Act for somebody who lives there, or come as a visitor.",
    "minds": "Memories, retrieval with its scores, plans, reflections.",
    "log": "What happened, in canonical order, as it settles, and why.",
    "models": "What was asked of language models, what they answered, what it cost.",
    "access": "Who may look at a simulation, command it, or decide about it.",
    "operation": "For whoever runs the service: health, figures, this document.",
}
"""Every tag with what it gathers; the document lists them in this order."""


def info_members() -> dict[str, Any]:
    """Return what `info` has besides title and version."""
    return {"summary": SUMMARY, "description": DESCRIPTION, "license": LICENSE}
