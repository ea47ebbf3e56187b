"""The relationships of an agent to others."""

from typing import Any

from django.http import HttpRequest, HttpResponse

from apps import history
from apps.history import FactKind, count_conversations
from apps.inspection.pages import AgentPage
from apps.memory.earlier_memories import memories_about_others


class PeoplePage(AgentPage):
    """The other agents that an agent knows: facts, memories and conversations (E4)."""

    template = "inspection/people.html"
    title = "People"
    tab = "people"

    def get(self, request: HttpRequest, **_names: Any) -> HttpResponse:
        """List them by name, those it knows best first."""
        context, slug, tick = self.context, self.agent_row.agent, self.context.as_of_tick
        facts = {
            fact.other: fact
            for fact in history.current_facts(context.id, slug, as_of_tick=tick)
            if fact.kind is FactKind.RELATIONSHIP and fact.other
        }
        memories = {
            other: found
            for (_, other), found in memories_about_others(
                context.id, self.names, as_of_tick=tick, agents=[slug]
            ).items()
        }
        talks = {
            other: counted
            for (agent, other), counted in count_conversations(
                context.id, as_of_tick=tick
            ).items()
            if agent == slug
        }
        known = sorted(
            {*facts, *memories, *talks},
            key=lambda other: (-(memories[other].count if other in memories else 0), other),
        )
        return self.render(
            people=[
                {
                    "slug": other,
                    "fact": facts.get(other),
                    "memories": memories.get(other),
                    "talks": talks.get(other),
                }
                for other in known
            ]
        )
