"""Makes of words that a memory quotes what they tell (stand-in, not a language model).

"Sam Moore said to Klaus Mueller: I'll run for mayor" is what remains of words that nobody
answered.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date

from apps.dialogue.chains.utterance import Line
from apps.rule_model.dialogue.acts import Act
from apps.rule_model.dialogue.hearing import heard_in
from apps.rule_model.dialogue.recounting import names_in, recounted

_QUOTED = re.compile(r"^(?P<who>[A-Z][\w' -]+) said to (?P<whom>[A-Z][\w' -]+): (?P<words>.+)$")
# "Tomorrow" was another day when it was said.
_RELATIVE = re.compile(
    r"\b(?:today|tomorrow|tonight|yesterday|this \w+|on \w+day)\b", re.IGNORECASE
)


def unquoted(memories: Sequence[str], today: date) -> tuple[str, ...]:
    """Return the memories with what quoted words told instead of the words."""
    return tuple(told for memory in memories for told in _told(memory, today))


def _told(memory: str, today: date) -> Iterator[str]:
    match = _QUOTED.match(memory)
    if match is None:
        yield memory
        return
    who, whom = match["who"], match["whom"]
    names = names_in([Line(speaker=who, text=match["words"]), Line(speaker=whom, text="")])
    for heard in heard_in(match["words"]):
        if heard.act in (Act.NEWS, Act.STATEMENT) and not _RELATIVE.search(heard.sentence):
            core = recounted(
                heard.sentence, speaker=who, listener=whom, today=today, names=names
            )
            yield f"{who} told {whom} that {core}"
