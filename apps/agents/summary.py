"""The summary description of an agent: identity and what is known of it (S1); plain Python."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentSummary:
    """Name, age and traits, and three summaries of memories, each "" where nothing is known."""

    name: str
    age: int
    traits: tuple[str, ...]
    core: str = ""
    occupation: str = ""
    feeling: str = ""

    @property
    def text(self) -> str:
        """The summary as prompts print it (paper, appendix A); no line is empty."""
        lines = (
            f"Name: {self.name} (age: {self.age})",
            f"Innate traits: {', '.join(self.traits)}" if self.traits else "",
            *(part.strip() for part in (self.core, self.occupation, self.feeling)),
        )
        return "\n".join(line for line in lines if line)
