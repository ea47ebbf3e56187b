"""The identity of an agent and its summary description, which opens its prompts (S1)."""

from dataclasses import dataclass

from apps.kernel.language import phrase


@dataclass(frozen=True, slots=True, kw_only=True)
class Hours:
    """The hours of waking, sleep and dinner, in minutes after midnight.

    `sleep` may exceed 1,440: 1,500 is 1:00 of the next day.
    """

    wake: int
    sleep: int
    dinner: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """The identity of an agent; `home`, `bed` and `workplace` are node paths in words."""

    slug: str
    name: str
    age: int
    traits: tuple[str, ...]
    hours: Hours
    home: str
    bed: str
    workplace: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LastingFacts:
    """Sentences about an agent that do not depend on a retrieval."""

    occupation: tuple[str, ...] = ()
    pursuits: tuple[str, ...] = ()
    routines: tuple[str, ...] = ()
    relationships: tuple[str, ...] = ()
    intentions: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()

    @property
    def sentences(self) -> tuple[str, ...]:
        """The sentences of the occupation and the pursuits, each once."""
        return tuple(dict.fromkeys((*self.occupation, *self.pursuits)))

    @property
    def of_days(self) -> tuple[str, ...]:
        """The sentences that shape a day: those above, routines and intentions, each once."""
        return tuple(dict.fromkeys((*self.sentences, *self.routines, *self.intentions)))

    @property
    def in_mind(self) -> tuple[str, ...]:
        """The sentences that matter whenever the agent talks, each once."""
        return tuple(dict.fromkeys((*self.secrets, *self.intentions, *self.states)))


NO_FACTS = LastingFacts()


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentSummary:
    """Name, age and traits, and three summaries of memories, each "" without memories.

    `lasting` is printed by the tasks that need it, not in the text.
    """

    name: str
    age: int
    traits: tuple[str, ...]
    core: str = ""
    occupation: str = ""
    feeling: str = ""
    lasting: LastingFacts = NO_FACTS

    @property
    def text(self) -> str:
        """The summary as printed in prompts (paper, appendix A); no line is empty."""
        traits = ", ".join(self.traits)
        lines = (
            phrase("Name: {name} (age: {age})", name=self.name, age=self.age),
            phrase("Innate traits: {traits}", traits=traits) if traits else "",
            *(part.strip() for part in (self.core, self.occupation, self.feeling)),
        )
        return "\n".join(line for line in lines if line)
