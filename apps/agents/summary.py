"""The summary description of an agent: its identity and three summaries (S1)."""

from dataclasses import dataclass


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
        lines = (
            f"Name: {self.name} (age: {self.age})",
            f"Innate traits: {', '.join(self.traits)}" if self.traits else "",
            *(part.strip() for part in (self.core, self.occupation, self.feeling)),
        )
        return "\n".join(line for line in lines if line)
