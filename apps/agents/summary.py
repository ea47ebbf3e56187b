"""The summary description of an agent: its identity and three summaries (S1)."""

from dataclasses import dataclass

from apps.kernel.language import phrase


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentSummary:
    """Name, age and traits, and three summaries of memories, each "" without memories."""

    name: str
    age: int
    traits: tuple[str, ...]
    core: str = ""
    occupation: str = ""
    feeling: str = ""

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
