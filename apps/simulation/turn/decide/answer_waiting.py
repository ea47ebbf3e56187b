"""Answer waiting: take up the words of an agent that waits until this one is free (D2)."""

from apps.simulation.snapshot.hearing import address_to_answer
from apps.simulation.turn.context.outcome import RevisePlan, TurnOutcome
from apps.simulation.turn.context.turn_context import TurnContext
from apps.simulation.turn.conversation.converse import answer
from apps.simulation.turn.perform.plan import plan


def answer_waiting(context: TurnContext, outcome: TurnOutcome) -> TurnOutcome:
    """Answer, before the plan is followed, the agent that has waited longest for an answer.

    A plan that is to be revised is revised before. What has to be done at once comes first:
    the other agent waits on.
    """
    waiting = context.conversations.waiting()
    if not waiting or outcome.talk is not None:
        return outcome
    if isinstance(outcome.intention, RevisePlan):
        if outcome.intention.first is not None:
            return outcome
        outcome = plan(context, outcome)
    earliest = [said for said in waiting if said.tick == waiting[0].tick]
    address = address_to_answer(context.constants, earliest)
    assert address is not None, "nobody waits for an answer to words that want none"
    return answer(context, outcome, address)
