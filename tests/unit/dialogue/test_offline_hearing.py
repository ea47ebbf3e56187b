"""What the stand-in says, it also understands: each phrase is heard as what it was meant."""

import pytest

from apps.rule_model.dialogue import agenda, answering, greetings, inviting, responses, telling
from apps.rule_model.dialogue.acts import Act
from apps.rule_model.dialogue.hearing import acts_in

FILLS = {
    "name": "Klaus",
    "me": "Maria Lopez",
    "daytime": "Good morning",
    "doing": "reading",
    "their_doing": "writing",
    "clash": "I work until 7 pm",
    "work": "my paper",
    "first": "Sam",
    "what": "decorate the cafe",
    "when": "today from 3 to 4 pm",
    "thing": "research paper",
    "question": "who will run for mayor",
}
MEANT = {
    Act.YES: (inviting._YES, inviting._YES_IN_LOVE, inviting._GOING_ANYWAY, responses._HELPFUL),
    Act.NO: (
        inviting._NO,
        inviting._NO_COOLLY,
        responses._UNHELPFUL,
        responses._UNHELPFUL_THEN,
    ),
    Act.MAYBE: (inviting._MAYBE,),
    Act.INVITATION: (inviting._INVITES, inviting._INVITES_ALONG),
    Act.REQUEST: (agenda._ASKS_HELP,),
    Act.SPREAD_WORD: (inviting._SPREAD,),
    Act.ASK_WORK: (agenda._ASKS_WORK, agenda._ASKS_ABOUT),
    Act.ASK_DAY: (agenda._ASKS_CLOSELY,),
    Act.ASK_KNOWLEDGE: (agenda._ASKS_KNOWING,),
    Act.FAREWELL: (greetings._PLAIN_BYE, greetings._COOL_BYE, *greetings._BYE.values()),
    Act.HOW_ARE_YOU: (greetings._AND_YOU, *greetings._HOW_ARE_YOU.values()),
    Act.DOUBT: (telling._DISLIKES, telling._NOT_GLAD),
    Act.REMARK: (
        telling._WONDER,
        telling._KNOWN,
        inviting._OPEN,
        inviting._GLAD,
        answering._ODD,
    ),
}
PHRASES = [
    (act, phrase.format(**FILLS))
    for act, tables in MEANT.items()
    for table in tables
    for phrase in table
]


@pytest.mark.parametrize(("act", "phrase"), PHRASES)
def test_phrases_are_heard_as_they_are_meant(act: Act, phrase: str) -> None:
    heard = acts_in(phrase)
    assert act in heard
    others = {Act.YES, Act.NO, Act.INVITATION, Act.FAREWELL} - {act}
    assert not others.intersection(heard), heard
