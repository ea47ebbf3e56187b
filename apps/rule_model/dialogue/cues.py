"""By which words an act is known in a sentence: the table that hearing goes by (stand-in).

Not a language model. Each line is one cue, a small regular expression that is looked for
without regard to capitals; ^ is where the sentence begins behind "well," and the like. The
acts are tried in this order, the first with a cue that fits is taken.
"""

import re

from apps.rule_model.dialogue.acts import Act

# How one asks somebody to come; COME in a cue stands for any of these.
_COME = (
    r"would you (?:like|care)",
    r"do you want",
    r"want to",
    r"are you coming",
    r"will you (?:be there|come)",
    r"can you (?:come|make it)",
    r"could you come",
    r"why don't you (?:come|join)",
    r"you should come",
    r"you(?:'re| are) (?:both |all )?(?:welcome|invited)",
    r"please come",
    r"do come",
    r"come (?:along|by|over|to|and join|with)",
    r"i'd (?:like|love) (?:you to come|it if you came|to invite you)",
    r"join (?:me|us)",
)
# How one takes leave; AWAY in a cue stands for any of these.
_AWAY = (
    r"bye",
    r"goodbye",
    r"see you(?! there)",
    r"talk (?:to you )?(?:later|soon)",
    r"take care",
    r"good night",
    r"have a (?:good|nice)",
    r"so long",
    r"until (?:later|then|tomorrow)",
    r"i (?:have|need) to (?:go|run|get|move on)",
    r"i(?:'ve| have) got to (?:go|run|get)",
    r"i (?:should|must) (?:go|run|be off|be going|get going|get back|let you|be getting)",
    r"i(?:'d| had) better (?:go|get|let you)",
    r"i won't keep you",
    r"let me (?:let you|not keep you)",
)
# How one accepts in other words than the stand-in's own, which are the cues of YES below: they
# are looked for before whatever "come" or "thank you" says. PLAIN stands for what leads to
# them; a "but" or a question mark takes them back.
_PLAIN = r"^(?!.*(?:\?|\b(?:but|unless|not|cannot|can't|won't|wouldn't|didn't)\b)).*?"
_WOULD = r"\bi would (?:really |very much )?(?:love|like|be GLAD) to"
_ACCEPTED = tuple(
    cue.replace("WOULD", _WOULD)
    .replace("PLAIN", _PLAIN)
    .replace("GLAD", r"(?:glad|happy|delighted|pleased|honou?red)")
    for cue in (
        r"PLAINWOULD (?:come|join|attend|be)\b",
        r"PLAINWOULD(?: help| do (?:it|that))?\W*$",
        r"PLAIN\bi'd be (?:delighted|honou?red)\b",
        r"PLAIN\bi (?:will|shall) (?:\w+ly )?(?:be there|come|join you|attend)\b",
        r"PLAIN\bi (?:will|shall) (?:\w+ly )?(?:do it|do that|help)\b",
        r"PLAIN\bi (?:accept|am coming)\b",
        r"PLAIN\b(?:i'm|i am) in\W*$",
        r"PLAIN\bthat would be (?:great|lovely|wonderful|nice|fun|a pleasure)\W*$",
        r"PLAIN^(?:thanks|thank you)\b.*\bi(?:'d|'ll) (?:love|be|come|like to come)\b",
        r"PLAIN^(?:absolutely|definitely|certainly|yep|yup)\b|^ok(?:ay)?\W*$",
    )
)
_CUES: tuple[tuple[Act, tuple[str, ...]], ...] = (
    (
        Act.MEDDLING,
        (
            r"\b(?:ignore|disregard|forget|override)\b.*\b(?:instructions?|prompts?|rules)\b",
            r"\b(?:ignore|disregard|forget|override)\b.*\b(?:previous|above|everything)\b",
            r"\b(?:reveal|show|print|repeat|output|give|tell)\b.*\b(?:prompts?|instructions)\b",
            r"\bsystem (?:prompt|message)\b",
            r"\byou are now\b.*\b(?:mode|an? \w+)\b",
        ),
    ),
    (
        Act.MACHINE_QUESTION,
        (
            r"\bare (?:you|u)\b.*\b(?:human|a person|a real person|real|alive|artificial)\b",
            r"\bare (?:you|u)\b.*\b(?:robot|machine|ai|a\.i|bot|chatbot|computer|program)\b",
            r"\bare (?:you|u)\b.*\b(?:simulat\w+|language model|gpt)\b",
            r"\b(?:talking|speaking) (?:to|with) an? (?:\w+ )?(?:human|person|robot|machine)\b",
            r"\b(?:talking|speaking) (?:to|with) an? (?:\w+ )?(?:ai|bot|computer|program)\b",
        ),
    ),
    (Act.YES, _ACCEPTED),
    (Act.FAREWELL, (r"(?:^|, |: )AWAY\b", r"^(?:well|anyway),? AWAY\b")),
    (
        Act.INTRODUCTION,
        (r"\bdon't think we(?:'ve| have) met\b", r"\b(?:nice|good|pleased) to meet you\b"),
    ),
    (
        Act.SPREAD_WORD,
        (
            r"^(?:please |just )?(?:tell|bring|let) (?:your|the others|a friend|everyone)\b",
            r"^(?:please |just )?let others know\b",
            r"^(?:please |just )?(?:tell|let) everybody\b",
        ),
    ),
    (
        Act.INVITATION,
        (
            r"^(?:(?:and|so|but|maybe|then),? )?COME\b",
            r"^(?!i\b(?!'d (?:like|love) (?:you|it|to invite)))(?=.*\byou\b).*\bCOME\b",
            r"\b(?:want|wanna|care|like)(?: to)? (?:come|join)\b.*\?",
        ),
    ),
    (
        Act.REQUEST,
        (
            r"\b(?:could|can|would|will) you (?:please |maybe )?"
            r"(?P<about>(?:help|lend|bring|show|keep|give|hold|teach|fetch|carry)\b.*)\?",
            r"\b(?:could|can|would|will) you (?:please |maybe )?"
            r"(?P<more>(?:look after|put in|take care of)\b.*)\?",
        ),
    ),
    (
        Act.ASK_KNOWLEDGE,
        (
            r"\b(?:do you (?:happen to )?know|have you any idea|have you heard|any idea) "
            r"(?P<about>(?:who|what|when|where|whether|if|why|how|which)\b.*)\?",
        ),
    ),
    (
        Act.ASK_OPINION,
        (
            r"\bwhat do you (?:think|make) (?:of|about) (?P<about>.+?)\?",
            r"\bwhat do you think\?",
            r"\bwhat are your thoughts\b(?: on (?P<other>.+?))?\?",
            r"\bdo you think\b.*\?",
        ),
    ),
    (
        Act.ASK_DAY,
        (
            r"\bwhat have you been (?:up to|doing)\b",
            r"\bwhat are you (?:up to|doing) (?:today|later|tonight|this \w+|now)\b",
            r"\bwhat's the rest of your day\b",
        ),
    ),
    (
        Act.ASK_WORK,
        (
            r"\bhow(?:'s| is| are) (?P<about>(?:(?:your|the|that) |things with )"
            r"(?!day\b|morning\b|night\b|evening\b).+?)"
            r"(?: (?:coming along|going|getting on|doing))?\?",
            r"\bwhat about (?P<what>your .+)\?",
            r"\bwhat keeps you busy\b",
            r"\bwhat are you (?:up to|working on|doing|reading|writing)\b",
            r"\bwhat do you (?:do|study)\b",
            r"\bbusy with\b.*\?",
            r"\btell me (?:more )?about (?P<told>.+)",
        ),
    ),
    (
        Act.HOW_ARE_YOU,
        (
            r"\bhow(?:'s| is) (?:it|everything|life) going\b",
            r"\bhow are (?:you|things)\b",
            r"\bwhat's (?:up|new)\b",
            r"\bhow(?:'s| is) (?:life|everything|your (?:day|morning|evening))\b",
            r"\bhow was your (?:day|morning|night)\b",
            r"\beverything all right\b|\bsleep well\b",
            r"\bhow do you (?:do|like it)\b",
            r"^(?:and|how about|and how about) you\b",
        ),
    ),
    (
        Act.DOUBT,
        (
            r"\bdon't think (?:that's|it's|much of)\b",
            r"\bdon't think \w+ (?:\w+ )?would\b",
            r"\bcan't say that i like\b",
            r"\bleave that alone\b",
            r"\b(?:i wish|if only) \w+ wouldn't\b",
            r"\bnot fond of\b",
            r"\bof all people\b",
            r"\bdon't (?:care for|like|trust)\b|\bis not for me\b",
        ),
    ),
    (
        Act.MAYBE,
        (
            r"\b(?:maybe|perhaps)\b",
            r"\bi'll (?:see|think about it|try)\b",
            r"\bcan't promise\b|\bnot sure (?:yet|i can)\b",
            r"\blet me see\b|\bi might\b|\bif i can\b",
        ),
    ),
    (
        Act.NO,
        (
            r"^no\b(?! way| hurry)",
            r"\bi (?:can't|won't)\b",
            r"\bi'm (?:afraid|not coming)\b",
            r"\bi'd rather\b",
            r"\bi'll pass\b|\bcount me out\b|\banother time\b",
            r"\bnot (?:for me|my thing|today)\b",
            r"\bi (?:cannot|can not|will not) (?:come|make it|be there|join|help)\b",
            r"\bi am afraid\b|\bunfortunately\b",
        ),
    ),
    (
        Act.YES,
        (
            r"^(?:yes|sure|yeah|okay)\b(?!,? i (?:heard|know))",
            r"\bi'd (?:love|like|be glad|be happy) to\b",
            r"\bi'll (?:be there|come|do it|do that|help)\b",
            r"\bi'm coming\b|\bcount me in\b",
            r"\bgladly\b|\bwith pleasure\b|\bof course\b",
            r"\bi wouldn't miss it\b",
        ),
    ),
    (
        Act.APPROVAL,
        (
            r"\bhappy for you\b",
            r"^good (?:for|luck)\b",
            r"\bwish you luck\b",
            r"\bsounds (?:great|good|wonderful|like fun)\b",
            r"\bi like (?:that|the idea)\b",
            r"\b(?:fine|good|great) idea\b",
            r"\bso i'm glad\b",
            r"\bmeans a lot to me\b",
            r"\bhope it goes well\b",
            r"\bgood to hear\b",
        ),
    ),
    (
        Act.THANKS,
        (r"^(?:thanks|thank you|many thanks)\b", r"^that's (?:kind|nice|sweet) of you\b"),
    ),
    (
        Act.GREETING,
        (
            r"^(?:hi|hey|hello|morning|evening|there you are)\b",
            r"^good (?:morning|afternoon|evening|to see you)\b",
        ),
    ),
    (
        Act.REMARK,
        (
            r"^(?:have you heard|did you hear)\?",
            r"^(?:oh|ah|really|is that so|is it true|no way)\b",
            r"^(?:\w+ ){0,2}(?:you|me)\?$",
            r"^(?:i see|same here|me (?:too|neither))\b",
            r"^(?:great|lovely|wonderful|good|nice|right|true|fine|pretty|too bad|not much)\b",
            r"^(?:not bad|no hurry|yes, i (?:heard|know)|who knows|so|anyway)\b",
            r"^(?:that's|that sounds|it's|it is|what a)\b",
            r"^(?:you|we|we'll|we've|let's)\b",
            r"^i (?:hear you|agree|(?:don't )?think so|(?:don't )?know|see|hope|wish you)\b",
            r"^i'll (?:tell|pass|let)\b|^(?:so )?i heard(?: (?:it|about).*)?\W*$",
            r"^i (?:like where|thought you)\b",
            r"^i (?:don't mind|had no idea|doubt|didn't|haven't heard|was just)\b",
            r"^i'(?:m (?:sorry|glad|happy|fine|not sure|just)|ve been (?:curious|wondering))\b",
        ),
    ),
)


def _finder(cues: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    filled = (
        cue.replace("COME", f"(?:{'|'.join(_COME)})").replace("AWAY", f"(?:{'|'.join(_AWAY)})")
        for cue in cues
    )
    return tuple(re.compile(cue, re.IGNORECASE) for cue in filled)


CUES = tuple((act, _finder(cues)) for act, cues in _CUES)
