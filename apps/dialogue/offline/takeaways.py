"""What somebody takes from a conversation that is over (stand-in, not a language model)."""

from apps.dialogue.chains.takeaways import ConversationToDigest, Takeaways
from apps.dialogue.offline.agreeing import agreed, declined
from apps.dialogue.offline.learning import learnt
from apps.dialogue.offline.talk import talk_of
from apps.dialogue.offline.thoughts import about_other, for_plans, gist
from apps.llm.offline import Chance


def takeaways(given: ConversationToDigest, chance: Chance) -> Takeaways:
    """Return what the conversation leaves behind in one of the two."""
    talk = talk_of(given)
    return Takeaways(
        gist=gist(talk, given.place),
        learnt=tuple(learnt(talk)),
        agreed=tuple(agreed(talk)),
        declined=tuple(declined(talk)),
        about_other=about_other(talk, chance),
        for_plans=for_plans(talk),
    )
