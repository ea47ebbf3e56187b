"""What somebody takes from a conversation that is over (stand-in, not a language model)."""

from apps.dialogue.chains.takeaways import ConversationToDigest, Takeaways
from apps.rule_model.dialogue.agreeing import agreed, declined
from apps.rule_model.dialogue.learning import learnt
from apps.rule_model.dialogue.talk import talk_of
from apps.rule_model.dialogue.thoughts import about_other, for_plans, gist
from apps.rule_model.model import Chance


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
