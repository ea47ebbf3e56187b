"""Lasting facts in a description, by the words of its phrases (ADR 53)."""

from collections.abc import Iterator

from apps.agents.status import Acquaintance, Standing
from apps.memory.llm_tasks import facts as task
from apps.memory.llm_tasks.facts import FactsInput
from apps.rule_model.content import patterns
from apps.rule_model.knowledge.gatherings import gathering_in, times_of
from apps.rule_model.knowledge.relationships import Relationship, relationship, tie_of
from apps.rule_model.memory import sign_of
from apps.rule_model.model import Chance
from apps.rule_model.planning.phrases import description_of_texts, has_habit

_AIM, _SECRET = patterns("facts")["aim"], patterns("facts")["secret"]
_STANDINGS = (Standing.NEUTRAL, Standing.NEUTRAL, Standing.FRIENDLY, *[Standing.CLOSE] * 2)


def lasting_facts(inputs: FactsInput, _: Chance) -> task.LastingFactsFound:
    """Sort the statements; the first one of a description is the occupation."""
    name, numbered = inputs.agent_name, enumerate(inputs.statements[1:], start=2)
    own = {n: said.removeprefix(name) for n, said in numbered if said.startswith(name)}
    pursuits = {n: said for n, said in own.items() if _is_pursuit(inputs, said)}
    occupation = [
        n
        for n, said in own.items()
        if n not in pursuits
        and not has_habit(said)
        and sign_of(said) == "occupation"
        and not any(other in said for other in inputs.others)
    ]
    return task.LastingFactsFound(
        occupation=(1, *occupation)[: task.STATEMENTS_MAX],
        pursuits=tuple(
            task.Pursuit(because_of=(n,), until=_until(inputs, said))
            for n, said in pursuits.items()
        ),
        routines=tuple(n for n, said in own.items() if has_habit(said))[: task.ROUTINES_MAX],
        secrets=tuple(n for n, said in own.items() if _SECRET.search(said))[
            : task.STATEMENTS_MAX
        ],
        ties=tuple(_ties(inputs)),
    )


def _is_pursuit(inputs: FactsInput, said: str) -> bool:
    name = inputs.agent_name
    found = description_of_texts(name, [f"{name}{said}"], inputs.today)
    return bool(found.pursuits or _AIM.search(said) or _until(inputs, said))


def _until(inputs: FactsInput, said: str) -> str:
    """Return the end of the gathering that the statement is about, if a statement says it."""
    about = gathering_in(said, inputs.today)
    known = (gathering_in(text, inputs.today) for text in inputs.statements)
    same = (one for one in known if one and about and one.keys == about.keys)
    ends = ((times_of(one) or (one.when.day,))[-1] for one in same)
    return next((end.isoformat() for end in ends if end is not None), "")


def _ties(inputs: FactsInput) -> Iterator[task.Tie]:
    for other in inputs.others:
        cited = [n for n, text in enumerate(inputs.statements, start=1) if other in text]
        if cited:
            said = [inputs.statements[n - 1] for n in cited]
            known = Acquaintance(facts=tuple(said))
            of_other = relationship(inputs.agent_name, other, (), known)
            yield task.Tie(
                other=other,
                tie=tie_of(of_other, other, said),
                standing=_standing(of_other),
                because_of=tuple(cited[: task.STATEMENTS_MAX]),
            )


def _standing(of_other: Relationship) -> Standing:
    felt = Standing.LOVE if of_other.in_love else _STANDINGS[of_other.closeness]
    return Standing.COOL if of_other.dislikes else felt
