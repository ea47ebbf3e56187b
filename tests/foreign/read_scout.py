"""Reads an export with Inspect Scout, in its environment, and prints what it has found as JSON.

Arguments: the folder of the export, a folder for results, and a word to look for.
"""

import asyncio
import json
import sys

from inspect_scout import (
    TranscriptContent,
    grep_scanner,
    scan,
    scan_results_df,
    transcripts_db,
    transcripts_db_schema,
    transcripts_from,
)


async def read(folder: str) -> list[dict[str, object]]:
    """Return each transcript with its messages and events as Scout reads them."""
    found = []
    async with transcripts_db(folder) as database:
        async for info in database.select():
            full = await database.read(info, TranscriptContent(messages="all", events="all"))
            found.append(
                {
                    "info": info.model_dump(mode="json"),
                    "roles": [message.role for message in full.messages],
                    "texts": [message.text for message in full.messages],
                    "ids": [message.id for message in full.messages],
                    "events": [
                        [event.event, event.uuid, len(event.input), event.output.completion]
                        for event in full.events
                    ],
                }
            )
    return found


if __name__ == "__main__":
    export, results, word = sys.argv[1:]
    status = scan(
        {"words": grep_scanner(word)},
        transcripts=transcripts_from(export),
        scans=results,
        display="plain",
        max_processes=1,
        fail_on_error=True,
    )
    table = scan_results_df(status.location).scanners["words"]
    print(
        json.dumps(
            {
                "schema": transcripts_db_schema("json")["properties"],
                "transcripts": asyncio.run(read(export)),
                "complete": status.complete,
                "hits": {row.transcript_id: row.value for row in table.itertuples()},
            }
        )
    )
